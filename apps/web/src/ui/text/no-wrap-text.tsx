/** A sentence whose words do not break at hyphens, since it contains usernames. */
export function NoWrapText({ text }: { readonly text: string }) {
  return text.split(/(\s+)/).map((word, index) =>
    word.includes("-") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other key
      <span key={index} className="unbroken">
        {word}
      </span>
    ) : (
      word
    ),
  );
}
