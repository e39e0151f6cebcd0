import type { Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { button, rows } from './buttons.ts';
import type { Controls } from './controls.ts';
import { decisionLine } from './rule-lines.ts';
import { shortName } from './short-name.ts';
import { fitted } from './text.ts';

const A_PAGE = 10;
const LONGEST = 4_000;

export interface ReasonsOptions {
  readonly rule: string;
  /** Only what is about this one. */
  readonly item?: string | undefined;
  /** Where the page begins; absent: the newest. */
  readonly cursor?: string | undefined;
}

/** What a rule decided, newest first, with the reasons. */
export async function reasonsCard(controls: Controls, { rule, item, cursor }: ReasonsOptions, reader: Reader): Promise<Reply> {
  const { reasons, buttons } = reader.words.controls;
  const found = await controls.decisions({ rule, item, cursor, limit: A_PAGE });
  const none = item === undefined ? reasons.none : reasons.noneAbout(escaped(item, 100));
  const idOf = (role: string, from: string): string =>
    `rules:why:${shortName(rule)}:${from}:${item === undefined ? '' : shortName(item)}:${role}`;
  const lines = found.items.map((decision) => decisionLine(decision, reader));
  return {
    content: '',
    embeds: [
      {
        title: reasons.title(escaped(rule, 200)),
        description: lines.length > 0 ? fitted(lines, LONGEST, reader) : none,
        footer: { text: reasons.kept },
      },
    ],
    components: rows(
      cursor === undefined && found.cursor === undefined
        ? []
        : [
            button(idOf('first', ''), buttons.first, { disabled: cursor === undefined }),
            button(idOf('next', found.cursor ?? ''), buttons.next, { disabled: found.cursor === undefined }),
          ],
    ),
  };
}
