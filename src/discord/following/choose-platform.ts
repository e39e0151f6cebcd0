import type { Caller } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import { row, textBlock } from '#src/discord/layout.ts';
import { titleOf } from '#src/discord/lookups/accounts.ts';
import type { References } from '#src/discord/lookups/lookup-command.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { FoundStreamer } from '#src/admin/queries/find-streamers.ts';

const MOST_QUESTIONS = 3;
const MOST_NAMES = 20;
const MAX_NAME = 60;
/** The characters of a custom id behind `follow:pick:` and the name of a platform. */
const MAX_REFERENCE = 70;

export interface FollowOptions {
  readonly channel?: string | undefined;
  readonly ping?: string | undefined;
  /** The member who streams, for the live role. */
  readonly member?: string | undefined;
  /** The words of which the game or the title needs one, with commas between them. */
  readonly only?: string | undefined;
}

/** The questions for names that several platforms have, each with its buttons, which keep the options. Of many names, the rest is only listed. */
export async function askForPlatform(
  found: readonly FoundStreamer[],
  options: FollowOptions,
  { texts: { following } }: Caller,
  { references }: { readonly references: References },
) {
  const ambiguous = found.filter((one) => one.kind === 'ambiguous');
  const others = ambiguous.slice(MOST_QUESTIONS).map(({ name }) => `**${escaped(name.typed, MAX_NAME)}**`);
  const chosen = Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  const questions = await Promise.all(
    ambiguous.slice(0, MOST_QUESTIONS).map(async ({ name, accounts }) => {
      const reference = await references.write('follow', { ...chosen, handle: name.handle }, MAX_REFERENCE);
      return [
        textBlock(following.ambiguous(escaped(name.typed, MAX_NAME))),
        row(
          ...accounts.map(({ platform }) => button(`follow:pick:${platform}:${reference}`, titleOf(platform))),
          button(`follow:pick:all:${reference}`, following.all, { style: 'primary' }),
        ),
      ];
    }),
  );
  const listed = [...others.slice(0, MOST_NAMES), ...(others.length > MOST_NAMES ? ['…'] : [])].join(', ');
  return [...questions.flat(), ...(others.length > 0 ? [textBlock(following.alsoAmbiguous(listed))] : [])];
}
