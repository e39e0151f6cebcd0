import { UserError } from '#src/errors.ts';
import type { RuleView } from '#src/web/views.ts';
import type { Reader } from '../cards/card.ts';
import { instant } from '../cards/figures.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { pageButtons, rows } from './buttons.ts';
import type { Controls } from './controls.ts';
import { decisionLine, problemLine, stateLine } from './rule-lines.ts';
import { fitted, numeral } from './text.ts';

const A_PAGE = 8;
const LONGEST = 4_000;

/** A page of all rules: those that run, the files that cannot be used, those that are off. */
export async function ruleList(controls: Controls, page: number, reader: Reader): Promise<Reply> {
  const { listing, errors } = reader.words.controls;
  const known = await controls.rules();
  const broken = controls.broken();
  const running = known.filter(({ on }) => on).length;
  const places = [...known.slice(0, running), ...broken, ...known.slice(running)];
  if (places.length === 0) throw new UserError(errors.noRules);
  const pages = Math.ceil(places.length / A_PAGE);
  const shownPage = Math.min(page, pages - 1);
  const shown = places.slice(shownPage * A_PAGE, (shownPage + 1) * A_PAGE);
  const views = new Map((await controls.views(shown.flatMap((one) => ('name' in one ? [one.id] : [])))).map((view) => [view.id, view]));
  const lines = shown.flatMap((one) => {
    const view = 'name' in one ? views.get(one.id) : one;
    return view ? entry(view, reader) : [];
  });
  return {
    content: '',
    embeds: [
      {
        title: listing.title(numeral(places.length, reader)),
        description: fitted(lines, LONGEST, reader),
        footer: { text: listing.page(shownPage + 1, pages) },
      },
    ],
    components: rows(pageButtons({ page: shownPage, more: shownPage + 1 < pages, idOf: (role, to) => `rules:list:${to}:${role}` }, reader)),
  };
}

function entry(view: RuleView, reader: Reader): readonly string[] {
  const { rule } = reader.words.controls;
  const { id, on, nextRunAt, lastDecision, problems } = view;
  const next = on ? ` · ${nextRunAt ? rule.next(instant(nextRunAt)) : rule.never}` : '';
  const head = `**${escaped(id, 100)}** ${stateLine(view, reader)}${next}`;
  const error = problems.find(({ severity }) => severity === 'error');
  const last = lastDecision && decisionLine({ ...lastDecision, atMs: lastDecision.at.getTime() }, reader);
  return [[head, ...(error ? [`-# ${problemLine(error)}`] : []), ...(last === undefined ? [] : [`-# ${last}`])].join('\n')];
}
