/** The small markup of lessons, as elements: nothing in it can become anything else. */

interface TextProps {
  readonly text: string;
}

/** Paragraphs and lists, with an empty line between them. */
export function Prose({ text }: TextProps) {
  return <>{text.split(/\n\s*\n/).map((block, i) => <Block key={i} text={block.trim()} />)}</>;
}

function Block({ text }: TextProps) {
  if (!text.startsWith("- ")) return <p><Inline text={text} /></p>;
  return <ul>{text.split(/\n?- /).filter((item) => item !== "").map((item, i) => <li key={i}><Inline text={item} /></li>)}</ul>;
}

/** A line with `code` and **strong** in it. */
export function Inline({ text }: TextProps) {
  return (
    <>
      {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
        if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
        if (part.startsWith("**")) return <strong key={i}>{part.slice(2, -2)}</strong>;
        return part;
      })}
    </>
  );
}
