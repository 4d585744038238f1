/** A sentence whose words do not break at hyphens, since it contains usernames. */
export function NoWrapText({ text }: { readonly text: string }) {
  return text.split(/(\s+)/).map((word, index) =>
    word.includes("-") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence have no other name than their place
      <span key={index} className="unbroken">
        {word}
      </span>
    ) : (
      word
    ),
  );
}
