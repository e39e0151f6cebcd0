/** The length limit of a post on a platform. */
export interface TextLimit {
  readonly most: number;
  /** The length as the platform counts it. A text is sent only if it is at most `most`. */
  readonly lengthOf: (text: string) => number;
  /** The longest mention that the text of a reply gets in front; absent if the platform addresses replies without one. */
  readonly replyPrefix?: string | undefined;
  /** The mentions in a text, as the platform reads it; absent: every name mentions a user. */
  readonly mentionsIn?: ((text: string) => readonly string[]) | undefined;
  /** Whether servers set their limit, and this is the usual one. */
  readonly varies?: boolean | undefined;
}

/** The limit of a reply. */
export function limitOfReply(limit: TextLimit): TextLimit {
  const { most, lengthOf, replyPrefix } = limit;
  return replyPrefix === undefined ? limit : { ...limit, most: most - lengthOf(replyPrefix) };
}
