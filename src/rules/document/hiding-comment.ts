/** A comment that hides what would close a list or a map. */
export interface HidingComment {
  /** Of its #, in the file. */
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/gu;
const MOST_CHARACTERS = 2_000;

/** The comment because of which a list or a map that opens at `from` does not end before `to`. */
export function hidingComment(source: string, { from, to }: { readonly from: number; readonly to: number }): HidingComment | undefined {
  let offset = from;
  for (const line of source.slice(from, Math.min(to, from + MOST_CHARACTERS)).split('\n')) {
    // A # between quotes begins no comment.
    const bare = line.replace(QUOTED, (text) => '"'.repeat(text.length));
    const at = bare.search(/\s#/u) + 1;
    const [bracket] = /[}\]]/u.exec(bare.slice(at)) ?? [];
    if (at > 0 && bracket !== undefined) {
      const before =
        bare
          .slice(0, at)
          .split(/[,:{[]/u)
          .at(-1) ?? '';
      const [behind = ''] = bare.slice(at).split(/[,}\]]/u);
      const text = line.slice(at - before.length, at + behind.length).trim();
      return {
        offset: offset + at,
        message: `the comment hides the closing ${bracket}`,
        hint: `" #" begins a comment: put quotes around the text: "${text}"`,
      };
    }
    offset += line.length + 1;
  }
  return undefined;
}
