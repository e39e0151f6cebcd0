import { randomBytes } from 'node:crypto';
import type { Rule } from '#src/rules/rule.ts';
import { UserError } from '#src/errors.ts';
import type { Reader } from '../cards/card.ts';
import type { Words } from '../language/words.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { button, rows } from './buttons.ts';
import type { Controls, RuleExplanation } from './controls.ts';
import { decisionLine } from './rule-lines.ts';
import { fitted, numeral } from './text.ts';

const LONGEST = 4_000;
const SHOWN = 10;
/** As many questions may be open; the oldest close. */
const MOST_OPEN = 100;

/** Questions whether a rule is to be run: each is answered once, and all are closed by a restart. */
export interface RunQuestions {
  ask(rule: string): string;
  /** The rule that was asked about; whoever answers twice, or too late, is told so. */
  take(question: string, words: Words): string;
}

export function runQuestions(): RunQuestions {
  const open = new Map<string, string>();
  return {
    ask(rule) {
      const question = randomBytes(9).toString('base64url');
      open.set(question, rule);
      const [oldest] = open.keys();
      if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
      return question;
    },
    take(question, words) {
      const rule = open.get(question);
      if (rule === undefined) throw new UserError(words.controls.errors.runPassed);
      open.delete(question);
      return rule;
    },
  };
}

/** Asks whether a rule is to be run, and says where it may speak. */
export function runQuestion({ rule, paused }: RuleExplanation, question: string, { words: { controls } }: Reader): Reply {
  const { running, buttons } = controls;
  const lines = [running.question(escaped(rule.id, 100)), paused ? running.paused : running.speaks(placesOf(rule))];
  return {
    content: lines.join('\n'),
    components: rows([button(`rules:run:${question}`, buttons.run, { style: 'danger' }), button(`rules:leave:${question}`, buttons.leave)]),
  };
}

/** Runs a rule, and tells what came of it. */
export async function runCard(controls: Controls, rule: string, reader: Reader, signal: AbortSignal): Promise<Reply> {
  const { running, errors } = reader.words.controls;
  const name = escaped(rule, 100);
  const made = await controls.run(rule, signal);
  if (!made) throw new UserError(errors.notRun(name));
  const { decisions, firings } = made;
  const steps = firings.reduce((sum, firing) => sum + firing.steps.length, 0);
  const lines = decisions.slice(0, SHOWN).map((decision) => decisionLine(decision, reader));
  const more = decisions.length - lines.length;
  return {
    content: running.done(name, numeral(steps, reader)),
    embeds:
      lines.length === 0
        ? []
        : [{ description: fitted([...lines, ...(more > 0 ? [running.more(numeral(more, reader))] : [])], LONGEST, reader) }],
    components: [],
  };
}

function placesOf({ then, while: during, finally: last, quiet }: Rule): string {
  const steps = [...then, ...during, ...last, ...(quiet && typeof quiet.then !== 'string' ? quiet.then : [])];
  return [...new Set(steps.flatMap(({ as }) => as))].map((account) => escaped(account, 60)).join(', ');
}
