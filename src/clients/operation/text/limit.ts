/** The length limit of a post on a platform. */
export interface TextLimit {
  readonly most: number;
  /** The length as the platform counts it. A text is sent only if it is at most `most`. */
  readonly lengthOf: (text: string) => number;
  /** The length of a content warning; absent: as `lengthOf`. */
  readonly lengthOfWarning?: ((warning: string) => number) | undefined;
  /** Whether an edit without a content warning keeps the one of the post; absent: the text has it, or there is none. */
  readonly keepsWarning?: true | undefined;
  /** The longest mention that the text of a reply gets in front; absent if the platform addresses replies without one. */
  readonly replyPrefix?: string | undefined;
  /** The mentions in a text, as the platform reads it; absent: every name mentions a user. */
  readonly mentionsIn?: ((text: string) => readonly string[]) | undefined;
  /** What takes a part of the limit of the platform, which `most` does not include; absent: nothing does. */
  readonly beside?: readonly string[] | undefined;
  /** How long the platform certainly refuses another post with the same text; absent: it accepts it. */
  readonly refusesRepeatsForMs?: number | undefined;
  /** Whether servers set their limit, and this is the usual one. */
  readonly varies?: boolean | undefined;
}

/** The limit of a reply. `repeated`: a text whose mentions the reply gets in front, because they decide who can read it. */
export function limitOfReply(limit: TextLimit, repeated = ''): TextLimit {
  const { lengthOf, replyPrefix, mentionsIn } = limit;
  if (replyPrefix === undefined) return limit;
  const mentions = mentionsIn?.(repeated).map((mention) => `${mention} `) ?? [];
  const length = Math.max(lengthOf(replyPrefix), lengthOf(mentions.join('')));
  return limitBeside(limit, { what: mentions.length > 1 ? 'the mentions of a reply' : 'the mention of a reply', length });
}

/** The limit of a text that another part takes room from. */
export function limitBeside(limit: TextLimit, { what, length }: { readonly what: string; readonly length: number }): TextLimit {
  return length === 0 ? limit : { ...limit, most: Math.max(0, limit.most - length), beside: [...(limit.beside ?? []), what] };
}
