import { page, paragraphs, table } from '../markdown.ts';
import { readGuide, WISHES, writtenLines, type Wish } from './wishes.ts';

const ABOUT = [
  'Users asked for these in the public trackers of stream bots and automation tools. Each wish links to its source and to the guide with a rule that',
  'fulfils it and the test of this rule. The lines are those that you write: without empty lines, `id` and `about`.',
].join(' ');

/** The page of the wishes, with the guides below `root`. */
export function wishesPage(root: string): string {
  const missing = WISHES.filter(({ guide }) => guide === undefined);
  return page(
    { title: 'Wishes of users', order: 16 },
    `Wishes of users of other bots, and the rules that fulfil them: ${WISHES.length} wishes, ${WISHES.length - missing.length} with a rule.`,
    ABOUT,
    '## With a rule',
    table(
      ['wish', 'source', 'guide with the rule', 'lines', 'test'],
      WISHES.flatMap((one) => (one.guide === undefined ? [] : [rowOf(one, readGuide(root, one.guide), one.guide)])),
    ),
    missing.length === 0 ? undefined : paragraphs('## Without a rule', missingTable(missing)),
  );
}

function rowOf({ wish, source }: Wish, { title, rule, cases }: ReturnType<typeof readGuide>, guide: string): readonly string[] {
  const file = `../guides/${guide}.md`;
  return [wish, linkOf(source), `[${title}](${file})`, String(writtenLines(rule).length), cases === 1 ? '1 case' : `${cases} cases`];
}

function missingTable(wishes: readonly Wish[]): string {
  return table(
    ['wish', 'source', 'what is missing'],
    wishes.map(({ wish, source, missing = '' }) => [wish, linkOf(source), missing]),
  );
}

/** The repository and the number of an issue, or the host of another page. */
function linkOf(source: string): string {
  const { hostname, pathname } = new URL(source);
  const [, repository, number] = /^\/[^/]+\/([^/]+)\/(?:issues|pull|discussions)\/(\d+)/u.exec(pathname) ?? [];
  return `[${repository === undefined ? hostname : `${repository} ${number}`}](${source})`;
}
