import type { Command } from 'commander';
import { z } from 'zod';
import type { RunningProcess } from '#src/admin/actions/running-process.ts';
import type { DeliveryLookup } from '#src/admin/queries/offline.ts';
import { DeliveryAnswer } from '#src/admin/queries/answers.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import { choicesOf } from '#src/engine/delivery/question.ts';
import { answering, type Answer } from './answering.ts';
import { quotedArgument } from './quoted-argument.ts';
import { findDelivery, nameOf, shortId, textOf } from './delivery-names.ts';
import { document } from './document.ts';
import { instantText, oneLine } from './format.ts';
import { localZone } from './local-zone.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('answer'), {
    group: 'operate',
    summary: 'Answer a question of a rule',
    description: [
      'Answer a question that a rule asks with discord.ask, as its buttons in Discord do. The steps that wait for the answer continue.',
      'Without arguments, the command lists the open questions. To answer, it needs the running Fanfare, which it reaches at HOST and PORT.',
    ],
    examples: [
      ['List the open questions', 'fanfare answer'],
      ['Answer one', 'fanfare answer 3f2a81c0 send'],
    ],
    exits: ['The questions were listed, or the answer was stored', 'The question does not exist, is closed or lacks the choice'],
  })
    .argument('[delivery]', 'Id from the list; its first characters are enough')
    .argument('[choice]', 'One of the choices of the question')
    .option('--text <text>', 'Free text beside the choice');
  answering(command, {
    schema: QuestionsAnswer,
    out,
    needsRun: true,
    async run(shown, delivery: string | undefined, choice: string | undefined, { text }: { readonly text?: string }) {
      const [{ openDeliveryLookup }, { openRunning }] = await Promise.all([
        import('#src/app/open-delivery-lookup.ts'),
        import('#src/app/open-running.ts'),
      ]);
      const timezone = localZone();
      const lookup = openDeliveryLookup(process.env);
      if (delivery === undefined && text === undefined) return await listQuestions({ lookup, timezone, out: shown });
      if (delivery === undefined || choice === undefined)
        throw new UsageError(delivery === undefined ? 'name the question and the choice' : 'name the choice', {
          hint: 'To list the open questions: fanfare answer',
        });
      return await answer({ lookup, running: openRunning(process.env, operator()), delivery, choice, text, out: shown });
    },
  });
}

const QuestionsAnswer = z.union([
  z
    .object({
      questions: z.array(DeliveryAnswer).describe('The open questions with their choices, newest first.'),
      more: z.boolean().describe('Whether there are more.'),
    })
    .describe('Without a delivery: the list.'),
  z
    .object({
      answered: z.string().describe('The id of the delivery.'),
      choice: z.string().describe('The choice.'),
      message: z.string().optional().describe('Why messages after the question were withdrawn; absent if they were not.'),
    })
    .describe('With a delivery.'),
]);

type Result = Promise<Answer<z.input<typeof QuestionsAnswer>>>;

/** The answer of the API. */
const Answered = z.looseObject({ state: z.string().optional(), message: z.string().optional() });

interface AnswerOptions {
  readonly lookup: Pick<DeliveryLookup, 'named'>;
  readonly running: RunningProcess;
  /** The beginning of the id. */
  readonly delivery: string;
  readonly choice: string;
  readonly text: string | undefined;
  readonly out: Terminal;
}

/** Answers a question. Throws a refusal if there is no such question, or if the process refuses the answer. */
export async function answer({ lookup, running, delivery: name, choice, text, out }: AnswerOptions): Result {
  const question = await findDelivery(name, { lookup, list: 'To list the open questions: fanfare answer' });
  const { state, message } = await running.post(`/api/deliveries/${encodeURIComponent(question.id)}/answer`, { choice, text }, Answered);
  const what = out.paint('green', nameOf(question));
  // A question for several members stays open until they all answered.
  if (state === 'asked')
    out.print(`Your answer to ${what} is stored: ${oneLine(choice)}. The question waits for the answers of other people.`);
  else out.print(`${what} is answered: ${oneLine(choice)}.`);
  if (message !== undefined) out.print(out.paint('yellow', `Note: ${oneLine(message)}.`));
  return { data: { answered: question.id, choice, ...(message !== undefined && { message }) } };
}

interface ListOptions {
  readonly lookup: Pick<DeliveryLookup, 'asked'>;
  readonly timezone: string;
  readonly out: Terminal;
}

/** Lists the open questions, each answer with its command. */
export async function listQuestions({ lookup, timezone, out }: ListOptions): Result {
  const { items, more } = await lookup.asked();
  if (items.length === 0) out.print(out.paint('green', 'There are no open questions.'));
  for (const [index, question] of items.entries()) {
    const text = textOf(question);
    if (index > 0) out.print('');
    out.print(`${out.paint('bold', nameOf(question))}, ${instantText(question.createdAt, timezone)}`);
    if (text !== undefined) out.print(`  question:  ${text}`);
    if (question.isOver === true) out.print(`  ${out.paint('yellow', 'The stream is over.')}`);
    for (const choice of choicesOf(question)) out.print(`  ${choiceText(`fanfare answer ${shortId(question.id)}`, oneLine(choice), out)}`);
  }
  if (more) out.print('\nThere are older open questions. The page lists all of them.');
  return { data: { questions: items.map(toDeliveryView), more } };
}

/** The command that gives an answer. */
function choiceText(command: string, choice: string, out: Terminal): string {
  const word = quotedArgument(choice);
  // An answer can begin as an option does. PowerShell removes a `--` without quotes.
  if (word !== undefined) return out.paint('cyan', `${command} ${choice.startsWith('-') ? '"--" ' : ''}${word}`);
  return `${out.paint('cyan', `${command} <choice>`)}  with this choice, quoted for your shell: ${choice}`;
}
