import {
  SlashCommandBuilder,
  SlashCommandSubcommandBuilder,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type MessageComponentInteraction,
} from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Caller, Reader } from '../caller.ts';
import { pageIn } from '../components.ts';
import { buttonOf, publicOption, replyToCommand, showPage, updateMessage, type ControlsOptions } from '../controls/command-reply.ts';
import {
  findItem,
  findRule,
  findRules,
  findStoredRule,
  noRule,
  ruleByShortId,
  ruleOption,
  shortId,
  storedRuleByShortId,
  suggestRules,
  type StoredRule,
} from '../controls/find-rule.ts';
import { decisionList, itemCard, ruleList } from '../controls/lists.ts';
import { previewCard } from '../controls/preview-card.ts';
import { ruleButtons, ruleCard } from '../controls/rule-card.ts';
import { createRunQuestions, runCard, runQuestion, testCard } from '../controls/run-card.ts';
import { en } from '../language/en/index.ts';
import { localize } from '../language/languages.ts';
import type { Texts, Title } from '../language/texts.ts';
import { replyPrivately, type Reply } from '../reply.ts';
import { escaped, oneLine } from '../text/untrusted-text.ts';
import type { SlashCommand, Suggestion } from '../command.ts';

/** A message has room for the preview of two items. */
const PREVIEWED_ITEMS = 2;
const MAX_NAMED = 10;
const MAX_SUGGESTION_LENGTH = 100;

type Subcommand = (interaction: ChatInputCommandInteraction, caller: Caller, reader: Reader) => Promise<Reply>;
type ButtonHandler = (interaction: MessageComponentInteraction, parts: readonly string[], caller: Caller) => Promise<void>;

const { list, show, why, pause, resume, run, preview, test, options: OPTIONS } = en.controls;

/** `/rules`: shows, pauses, runs, previews and tests rules. */
export function rulesCommand({ controls, clock }: ControlsOptions): SlashCommand {
  const questions = createRunQuestions();
  const typedRule = ({ options }: ChatInputCommandInteraction): string => options.getString(OPTIONS.rule.name, true);

  async function card(id: string, { texts }: Caller, reader: Reader): Promise<Reply> {
    return ruleCard(existing(await controls.explain(id), texts, id), reader);
  }

  async function historyOrCard(rule: StoredRule, caller: Caller, reader: Reader): Promise<Reply> {
    return rule.gone ? decisionList(controls, { rule }, reader) : card(rule.id, caller, reader);
  }

  async function previewOf(id: string, { texts }: Caller, reader: Reader): Promise<Reply> {
    return previewCard(existing(await controls.preview(id, PREVIEWED_ITEMS), texts, id), reader);
  }

  async function setPaused(isPaused: boolean, ids: readonly string[], { name, texts }: Caller): Promise<string> {
    const changed = await (isPaused ? controls.pause(ids, `${name} (Discord)`) : controls.resume(ids));
    const { paused, pausedAlready, resumed, notPaused } = texts.controls;
    if (changed.length > 0) return (isPaused ? paused : resumed)(namesOf(changed));
    return (isPaused ? pausedAlready : notPaused)(namesOf(ids));
  }

  /** Pauses or resumes a rule, or all instances of a rule. */
  function pauseSubcommand(isPaused: boolean): Subcommand {
    return async (interaction, caller) => {
      const rules = await findRules(typedRule(interaction), { controls, texts: caller.texts });
      const content = await setPaused(
        isPaused,
        rules.map(({ id }) => id),
        caller,
      );
      const [{ id, on }] = rules;
      return { content, components: rules.length === 1 ? ruleButtons({ id, isPaused, isOn: on }, caller, 'answer') : [] };
    };
  }

  const subcommands: Readonly<Record<string, Subcommand>> = {
    [list.name]: (_interaction, _caller, reader) => ruleList(controls, 0, reader),
    [show.name]: async (interaction, caller, reader) =>
      historyOrCard(await findStoredRule(typedRule(interaction), { controls, texts: caller.texts }), caller, reader),
    async [why.name](interaction, { texts }, reader) {
      const typedName = interaction.options.getString(OPTIONS.rule.name);
      const typed = interaction.options.getString(OPTIONS.item.name)?.trim();
      if (typedName === null && !typed) throw new UserError(texts.controls.errors.ruleOrItem);
      if (typedName === null) return itemCard(await controls.explainItem(typed ?? ''), reader);
      const rule = await findStoredRule(typedName, { controls, texts });
      const item = typed ? findItem(typed, await controls.items(rule.id)) : undefined;
      return decisionList(controls, { rule, item }, reader);
    },
    [pause.name]: pauseSubcommand(true),
    [resume.name]: pauseSubcommand(false),
    async [run.name](interaction, { texts }, reader) {
      const id = await findRule(typedRule(interaction), { controls, texts });
      const explanation = existing(await controls.explain(id), texts, id);
      if (!explanation.on) throw new UserError(texts.controls.errors.notOn(escaped(id, 100)));
      return runQuestion(explanation, questions.ask(id), reader);
    },
    [preview.name]: async (interaction, caller, reader) =>
      previewOf(await findRule(typedRule(interaction), { controls, texts: caller.texts }), caller, reader),
    async [test.name](interaction, { texts }, reader) {
      // All instances of a rule share its test file.
      const [{ id, name }] = await findRules(typedRule(interaction), { controls, texts });
      return testCard(name, existing(await controls.test(id), texts, id), reader);
    },
  };

  /** Pauses or resumes. The card of the rule is updated in place; other messages get an answer. */
  function pauseButton(isPaused: boolean): ButtonHandler {
    return async (interaction, [short = '', at], caller) => {
      const { id, on } = await ruleByShortId(short, { controls, texts: caller.texts });
      const content = await setPaused(isPaused, [id], caller);
      if (at === 'card') await updateMessage(interaction, caller, clock, (reader) => card(id, caller, reader));
      else {
        const reply = { content, components: ruleButtons({ id, isPaused, isOn: on }, caller, 'answer') };
        await replyPrivately(interaction, Promise.resolve(reply), clock);
      }
    };
  }

  async function decisions(
    [short = '', cursor = '', shortItem = '']: readonly string[],
    { texts }: Caller,
    reader: Reader,
  ): Promise<Reply> {
    const rule = await storedRuleByShortId(short, { controls, texts });
    const items = shortItem === '' ? [] : await controls.items(rule.id);
    const item = items.find(({ key }) => shortId(key) === shortItem)?.key;
    if (shortItem !== '' && item === undefined) throw new UserError(texts.errors.gone);
    return decisionList(controls, { rule, item, cursor: cursor || undefined }, reader);
  }

  async function ruleOf([short = '']: readonly string[], { texts }: Caller): Promise<string> {
    return (await ruleByShortId(short, { controls, texts })).id;
  }

  const buttons: Readonly<Record<string, ButtonHandler>> = {
    list: (interaction, [page], caller) => showPage(interaction, caller, clock, (reader) => ruleList(controls, pageIn(page), reader)),
    show: (interaction, parts, caller) =>
      replyPrivately(
        interaction,
        ruleOf(parts, caller).then((id) => card(id, caller, caller)),
        clock,
      ),
    async why(interaction, parts, caller) {
      // Without a cursor, the button belongs to a card, which stays.
      if (parts.length === 1) await replyPrivately(interaction, decisions(parts, caller, caller), clock);
      else await showPage(interaction, caller, clock, (reader) => decisions(parts, caller, reader));
    },
    preview: (interaction, parts, caller) =>
      replyPrivately(
        interaction,
        ruleOf(parts, caller).then((id) => previewOf(id, caller, caller)),
        clock,
      ),
    pause: pauseButton(true),
    resume: pauseButton(false),
    async run(interaction, [question = ''], caller) {
      const rule = questions.take(question, caller.texts);
      await interaction.update({ content: caller.texts.controls.running.at, components: [] });
      await interaction.editReply(await runCard(controls, rule, caller));
    },
    async leave(interaction, [question = ''], caller) {
      questions.take(question, caller.texts);
      await updateMessage(interaction, caller, clock, async () => ({ content: caller.texts.controls.running.left, components: [] }));
    },
  };

  async function suggest(interaction: AutocompleteInteraction, { texts: { reasons } }: Caller): Promise<readonly Suggestion[]> {
    const { name, value } = interaction.options.getFocused(true);
    if (name === OPTIONS.item.name) {
      const rule = interaction.options.getString(OPTIONS.rule.name) ?? '';
      const wanted = value.toLowerCase();
      // Users recognize an item by its last decision. Its key may be just a number.
      const items = (await controls.items(rule)).map((item) => ({ key: item.key, message: reasons.decided(item) }));
      const fitting = items.filter(({ key, message }) => `${key} ${message}`.toLowerCase().includes(wanted));
      return fitting.map(({ key, message }) => ({ name: oneLine(message, MAX_SUGGESTION_LENGTH), value: key }));
    }
    const known = await controls.rules();
    const subcommand = interaction.options.getSubcommand(false);
    const fitting =
      subcommand === pause.name
        ? known.filter(({ on, paused }) => on && !paused)
        : subcommand === resume.name
          ? known.filter(({ paused }) => paused)
          : known;
    // The history of a gone rule can still be read.
    const gone = subcommand === why.name || subcommand === show.name ? (await controls.gone()).map(({ id }) => ({ id, name: id })) : [];
    return suggestRules(value, [...fitting, ...gone]);
  }

  return {
    needs: 'operate',
    data: formOf(),
    suggest,
    async run(interaction, caller) {
      const subcommand = subcommands[interaction.options.getSubcommand()] ?? gone(caller);
      await replyToCommand(interaction, caller, clock, (reader) => subcommand(interaction, caller, reader));
    },
    async onComponent(interaction, [name = '', ...parts], caller) {
      const handler = Object.hasOwn(buttons, name) ? buttons[name] : undefined;
      await (handler ?? gone(caller))(buttonOf(interaction, caller), parts, caller);
    },
  };
}

function gone({ texts }: Caller): never {
  throw new UserError(texts.errors.gone);
}

/** A rule may be deleted between the choice of its id and the query. */
function existing<T>(found: T | undefined, texts: Texts, id: string): T {
  if (found === undefined) throw noRule(id, texts);
  return found;
}

function namesOf(ids: readonly string[]): string {
  const some = ids.slice(0, MAX_NAMED).map((id) => escaped(id, 100));
  return `**${some.join(', ')}**${ids.length > MAX_NAMED ? ', …' : ''}`;
}

function formOf(): SlashCommand['data'] {
  const subcommand = (title: (texts: Texts) => Title): SlashCommandSubcommandBuilder =>
    localize(new SlashCommandSubcommandBuilder(), title);
  const withRule = (title: (texts: Texts) => Title): SlashCommandSubcommandBuilder => subcommand(title).addStringOption(ruleOption());
  return localize(new SlashCommandBuilder(), (texts) => texts.controls.rules)
    .addSubcommand(subcommand((texts) => texts.controls.list).addBooleanOption(publicOption))
    .addSubcommand(withRule((texts) => texts.controls.show).addBooleanOption(publicOption))
    .addSubcommand(
      subcommand((texts) => texts.controls.why)
        .addStringOption(ruleOption(false))
        .addStringOption((option) => localize(option, (texts) => texts.controls.options.item).setAutocomplete(true))
        .addBooleanOption(publicOption),
    )
    .addSubcommand(withRule((texts) => texts.controls.pause))
    .addSubcommand(withRule((texts) => texts.controls.resume))
    .addSubcommand(withRule((texts) => texts.controls.run))
    .addSubcommand(withRule((texts) => texts.controls.preview))
    .addSubcommand(withRule((texts) => texts.controls.test))
    .toJSON();
}
