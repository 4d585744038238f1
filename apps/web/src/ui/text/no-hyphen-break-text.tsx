/** A sentence that wraps at spaces but not at hyphens, which usernames contain. */
export function NoHyphenBreakText({ text }: { readonly text: string }) {
  const words = text.split(/(\s+)/).map((word, index) =>
    word.includes("-") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no other key
      <span key={index} className="unbroken">
        {word}
      </span>
    ) : (
      word
    ),
  );
  return <>{words}</>;
}
