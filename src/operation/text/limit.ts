import { countGraphemes } from './graphemes.ts';

/** How long a post may be on a platform. */
export interface TextLimit {
  readonly most: number;
  /** As the platform counts; a text is sent only where this is at most `most`. */
  readonly lengthOf: (text: string) => number;
}

/** The limits that are known before anybody asks the platform, by its name: rules are checked without any account. */
export const TEXT_LIMITS: Readonly<Record<'sandbox', TextLimit>> = {
  sandbox: { most: 500, lengthOf: countGraphemes },
};
