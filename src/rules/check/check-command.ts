import { isJsonObject } from '#src/clients/operation/json.ts';
import { ABOUT_COMMAND, FANFARE_COMMANDS, isCommandName, LONGEST_DESCRIPTION, MOST_OPTIONS } from '#src/rules/grammar/command-file.ts';
import type { RuleDraft, WhenDraft } from '#src/rules/grammar/rule-file.ts';
import type { Path } from '#src/rules/document/report.ts';
import type { RuleCommand } from '#src/rules/rule.ts';
import type { CommandOption } from '#src/rules/step.ts';
import { isSet, type RuleCheckContext } from './check-context.ts';
import { chooseAccounts, clientOf } from './choose-accounts.ts';
import { accountsNamed } from './check-watch.ts';
import type { PlacedStep } from './place-steps.ts';

/** The operation that answers a command. */
const ANSWER = 'discord.answer';

/** Keys without a meaning for a rule that runs when a member asks for it. */
const OF_SCHEDULE: readonly Path[] = [
  ['when', 'every'],
  ['when', 'cron'],
  ['when', 'at'],
  ['when', 'timezone'],
  ['when', 'missed'],
  ['when', 'maxAge'],
  ['when', 'watch'],
  ['when', 'people'],
  ['mode'],
  ['quiet'],
  ['limit'],
  ['gather'],
];

/** Checks the slash command of a rule; undefined if the rule answers none. */
export function checkCommand(draft: RuleDraft, context: RuleCheckContext): RuleCommand | undefined {
  const { document, report } = context;
  const { when = {}, about } = draft;
  const { command: name } = when;
  if (!isSet(context, ['when', 'command'])) {
    for (const key of ABOUT_COMMAND.filter((one) => isSet(context, ['when', one]))) {
      report.error(document.keyLocation(['when'], key), 'key-without-command', `${key} needs command`, `add command, or remove ${key}`);
    }
    return undefined;
  }
  for (const path of OF_SCHEDULE.filter((one) => isSet(context, one))) {
    const key = path.at(-1);
    const message = `a rule that answers a command has no ${key}`;
    report.error(document.keyLocation(path.slice(0, -1), String(key)), 'key-with-command', message, `remove ${key}`);
  }
  if (name === undefined) return undefined;
  checkName(name, context);
  checkDescription(about, context);
  return {
    name,
    about: about ?? name,
    options: checkOptions(when, context),
    roles: when.roles?.flatMap((role) => role ?? []),
    isPublic: when.public ?? false,
    accounts: chooseAccounts({ verb: ANSWER, path: ['when', 'account'], named: accountsNamed(when), isOne: true }, context),
  };
}

const NAME_HINT = 'write 1 to 32 small letters, digits, - or _, for example next-stream';

function checkName(name: string, { document, report }: RuleCheckContext): void {
  const location = document.locationOf(['when', 'command']);
  if (!isCommandName(name)) report.error(location, 'command-name', `Discord does not accept the command name ${name}`, NAME_HINT);
  else if (FANFARE_COMMANDS.includes(name))
    report.error(location, 'command-of-fanfare', `Fanfare has its own command /${name}`, 'choose another name');
}

function checkDescription(about: string | undefined, { document, report }: RuleCheckContext): void {
  if (about === undefined) {
    report.error(
      document.locationOf(['when', 'command']),
      'command-without-about',
      'Discord shows a description of the command',
      'add about',
    );
  } else if (about.trim() === '' || about.length > LONGEST_DESCRIPTION) {
    const message = `the description of a command has 1 to ${LONGEST_DESCRIPTION} characters`;
    report.error(document.locationOf(['about']), 'command-about', message, 'make about shorter');
  }
}

/** The options, required ones first. */
function checkOptions({ options = {} }: WhenDraft, context: RuleCheckContext): readonly CommandOption[] {
  const { document, report } = context;
  const path: Path = ['when', 'options'];
  const entries = Object.entries(options);
  if (entries.length > MOST_OPTIONS) {
    report.error(document.locationOf(path), 'many-options', `a command has at most ${MOST_OPTIONS} options`, 'remove some of them');
  }
  const read = entries.flatMap(([name, option]): readonly CommandOption[] => {
    const location = document.keyLocation(path, name);
    if (!isCommandName(name)) report.error(location, 'command-name', `Discord does not accept the option name ${name}`, NAME_HINT);
    if (!isJsonObject(option) || option.type === undefined) return [];
    const { type, about = name, required = false } = option;
    const choices = option.choices?.flatMap((choice) => choice ?? []);
    if ((type === 'choice') !== isSet(context, [...path, name, 'choices'])) {
      const message = choices ? `an option of type ${type} has no choices` : 'an option of type choice needs choices';
      report.error(
        document.locationOf([...path, name]),
        'option-choices',
        message,
        choices ? 'write type: choice' : 'add choices: [one, two]',
      );
    }
    const repeated = choices?.find((choice, index) => choices.indexOf(choice) < index);
    if (repeated !== undefined)
      report.error(document.locationOf([...path, name, 'choices']), 'option-choices', `the choice ${repeated} appears twice`, 'remove one');
    return [{ name, type, about, required, ...(choices && { choices }) }];
  });
  return [...read.filter(({ required }) => required), ...read.filter(({ required }) => !required)];
}

/** Checks that the steps of a rule with a command only look things up and answer, and that no other rule answers. */
export function checkAnswers(placed: readonly PlacedStep[], command: RuleCommand | undefined, context: RuleCheckContext): void {
  const { document, report } = context;
  for (const { draft, path, declared, afterMs } of placed) {
    const location = document.locationOf([...path, 'do']);
    if (!command) {
      if (draft.do === ANSWER)
        report.error(location, 'answer-without-command', `${ANSWER} needs command in when`, 'add when: { command: … }');
    } else if (declared?.kind === 'write' && draft.do !== ANSWER) {
      const message = `a rule that answers a command cannot run ${draft.do}: its steps look something up and answer`;
      report.error(location, 'write-in-command', message, `use ${ANSWER}, or a rule with a schedule`);
    } else if (draft.do === ANSWER && draft.forEach !== undefined) {
      const message = 'a command has one answer: with forEach, each one would replace the one before';
      report.error(
        document.keyLocation(path, 'forEach'),
        'answers-for-each',
        message,
        'join the texts, for example with items.map(…).join("\\n")',
      );
    } else if (afterMs !== undefined) {
      report.error(location, 'wait-in-command', 'a rule that answers a command cannot wait: the member does', 'remove the wait');
    }
  }
  if (command) for (const step of placed) checkTypedChannel(step, command, context);
  const isAnswered = placed.some(({ draft }) => draft.do === ANSWER);
  if (!command || isAnswered || report.hasUnreadableLines) return;
  const isMeantAs = ({ draft, declared }: PlacedStep): boolean => declared === undefined && draft.do?.startsWith('discord.') === true;
  if (placed.some(isMeantAs)) return;
  report.error(document.keyLocation([], 'then'), 'command-without-answer', 'no step answers the command', `add a step with do: ${ANSWER}`);
}

/** Warns of a channel that members type: only options of the type `channel` have channels that the member can see. */
function checkTypedChannel({ draft, path }: PlacedStep, { options }: RuleCommand, { document, report }: RuleCheckContext): void {
  const channel = draft.with?.['channel'];
  if (typeof channel !== 'string' || clientOf(draft.do ?? '') !== 'discord') return;
  const named = [...channel.matchAll(/command\.\??options(?:\.|\["|\[')([\w-]+)/gu)].map(([, name]) => name);
  const typed = options.find(({ name, type }) => type === 'string' && named.includes(name));
  if (!typed) return;
  const message = `members can type each channel in ${typed.name}, also one that they cannot see`;
  report.warning(
    document.locationOf([...path, 'with', 'channel']),
    'typed-channel',
    message,
    `write type: channel for the option ${typed.name}`,
  );
}
