import type { AutocompleteInteraction, ChatInputCommandInteraction } from 'discord.js';
import { readTime } from '#src/engine/posting/read-time.ts';
import { UserError } from '#src/errors.ts';
import { operatorOf } from '#src/discord/actor.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { pageIn } from '#src/discord/components.ts';
import { automationForm } from '#src/discord/controls/automation-form.ts';
import { showPage, updateMessage, type ControlsOptions } from '#src/discord/controls/command-reply.ts';
import {
  findItem,
  findRule,
  findRules,
  findStoredRule,
  noLongerRule,
  ruleByShortId,
  shortId,
  storedRuleByShortId,
  suggestRules,
  type StoredRule,
} from '#src/discord/controls/find-rule.ts';
import { decisionList, itemCard, ruleList } from '#src/discord/controls/lists.ts';
import { previewCard } from '#src/discord/controls/preview-card.ts';
import { pollLines, ruleButtons, ruleCard } from '#src/discord/controls/rule-card.ts';
import { closeRunQuestion, runCard, runQuestion, testCard } from '#src/discord/controls/run-card.ts';
import { en } from '#src/discord/language/en/index.ts';
import {
  chooseFollowed,
  pauseFollowed,
  removeFollowed,
  suggestFollowed,
  switchFollowed,
  undoFollowed,
  type ChangeFollowedParts,
  type ChosenFollowed,
} from '#src/discord/following/change-followed.ts';
import type { HandledEvents } from '#src/discord/handled-events.ts';
import { isPaused } from '#src/discord/following/followed-list.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import type { Layout } from '#src/discord/layout.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { replyPrivately, updateWith, type Reply, type Shown } from '#src/discord/reply.ts';
import { dateTimeWithDistance } from '#src/discord/text/format.ts';
import { instantOf } from '#src/discord/text/typed-time.ts';
import { escaped, oneLine } from '#src/discord/text/untrusted-text.ts';
import type { ComponentHandler, SlashCommand, Suggestion } from '#src/discord/command.ts';

/** A message has room for the preview of two items. */
const PREVIEWED_ITEMS = 2;
const MAX_NAMED = 10;
const MAX_SUGGESTION_LENGTH = 100;

type Subcommand = (interaction: ChatInputCommandInteraction, caller: Caller, reader: Reader) => Promise<Shown>;

/** The parts of `/automation`, with the streamers that members follow. */
export type AutomationOptions = ControlsOptions & {
  readonly following?: ChangeFollowedParts | undefined;
  /** Lets one click answer the question whether to run a rule. */
  readonly handled: HandledEvents;
};

/** When a pause begins and ends; absent: at once, and not before a person resumes the rule. */
type PauseTimes = Readonly<Partial<Record<'from' | 'until', Date | undefined>>>;

const { list, show, why, pause, resume, enable, disable, remove, run, preview, test, options: OPTIONS } = en.controls;
/** The subcommands and the actions for what members set up in their server. */
const IN_SERVER = [enable.name, disable.name, remove.name, 'switch', 'undo'];

/** `/automation`: shows, pauses, runs, previews and tests rules. */
export function automationCommand({ controls, clock, following, handled }: AutomationOptions): SlashCommand {
  const typedRule = ({ options }: ChatInputCommandInteraction): string => options.getString(OPTIONS.rule.name, true);

  async function card(id: string, { texts }: Caller, reader: Reader): Promise<Reply> {
    const explanation = existing(await controls.explain(id), texts, id);
    return ruleCard(explanation, await pollLines(explanation, reader), reader);
  }

  async function historyOrCard(rule: StoredRule, caller: Caller, reader: Reader): Promise<Reply> {
    return rule.gone ? decisionList(controls, { rule }, reader) : card(rule.id, caller, reader);
  }

  async function previewOf(id: string, caller: Caller, reader: Reader): Promise<Reply> {
    const preview = await controls.previewRule({ rule: id, items: PREVIEWED_ITEMS }, operatorOf(caller));
    return previewCard(existing(preview, caller.texts, id), reader);
  }

  /** Pauses the rule with an id, or all instances of the rule with a name, now or later. */
  async function pauseRule(rule: string, caller: Caller, { from, until }: PauseTimes = {}): Promise<string> {
    const { rules, changed } = existing(await controls.pauseRule({ rule, from, until }, operatorOf(caller)), caller.texts, rule);
    const { paused, pausedAlready, pausePlanned, plannedAlready, resumesBy, cancelPlanned } = caller.texts.controls;
    if (changed.length === 0) return (from ? plannedAlready : pausedAlready)(namesOf(rules));
    const done = from ? pausePlanned(namesOf(changed), dateTimeWithDistance(from)) : paused(namesOf(changed));
    return [done, ...(until ? [resumesBy(dateTimeWithDistance(until))] : []), ...(from ? [cancelPlanned] : [])].join(' ');
  }

  async function resumeRule(rule: string, caller: Caller, planned = false): Promise<string> {
    const { rules, changed } = existing(await controls.resumeRule({ rule, planned }, operatorOf(caller)), caller.texts, rule);
    const { resumed, notPaused, plannedCancelled, notPlanned, cancelPlanned } = caller.texts.controls;
    if (changed.length > 0) return (planned ? plannedCancelled : resumed)(namesOf(changed));
    if (planned) return notPlanned(namesOf(rules));
    const hasPlans = (await controls.views(rules)).some(({ plannedPauses = [] }) => plannedPauses.length > 0);
    return notPaused(namesOf(rules)) + (hasPlans ? ` ${cancelPlanned}` : '');
  }

  /** Pauses or resumes a rule, or all instances of a rule. */
  function pauseSubcommand(kind: 'pause' | 'resume'): Subcommand {
    return async ({ options }, caller) => {
      const rules = await findRules(options.getString(OPTIONS.rule.name, true), { controls, texts: caller.texts });
      const [{ id, name, on, paused }] = rules;
      const rule = rules.length === 1 ? id : name;
      const timeIn = (option: string): Date | undefined => {
        const typed = options.getString(option);
        return typed === null ? undefined : instantOf(readTime(typed, { zone: caller.zone, nowMs: clock.nowMs() }), caller);
      };
      const [from, until] = [timeIn(OPTIONS.from.name), timeIn(OPTIONS.until.name)];
      // On a Friday evening, “Friday 18:00” is a week later than the next “Monday 9:00”, so the error has the dates.
      if (from && until && until <= from)
        throw new UserError(caller.texts.controls.errors.pauseEndsFirst(dateTimeWithDistance(from), dateTimeWithDistance(until)));
      const planned = options.getBoolean(OPTIONS.planned.name) ?? false;
      const content = await (kind === 'pause' ? pauseRule(rule, caller, { from, until }) : resumeRule(rule, caller, planned));
      // A plan changes nothing yet.
      const isPaused = from || planned ? paused : kind === 'pause';
      return { content, components: rules.length === 1 ? ruleButtons({ id, isPaused, isOn: on }, caller, 'answer') : [] };
    };
  }

  /** A change of all streamers of the caller's server, or of one of them. */
  function ofFollowed(change: (chosen: ChosenFollowed, caller: Caller, parts: ChangeFollowedParts) => Promise<Layout>): Subcommand {
    return async (interaction, caller) => {
      if (!following) return gone(caller);
      const streamer = interaction.options.getString(OPTIONS.one.name) ?? undefined;
      return change(await chooseFollowed({ rule: typedRule(interaction), streamer }, caller, following), caller, following);
    };
  }

  const subcommands: Readonly<Record<string, Subcommand>> = {
    [enable.name]: ofFollowed(({ entry }, caller, parts) =>
      entry ? pauseFollowed(entry, false, caller, parts) : switchFollowed(false, caller, parts),
    ),
    [disable.name]: ofFollowed(({ entry }, caller, parts) =>
      entry ? pauseFollowed(entry, true, caller, parts) : switchFollowed(true, caller, parts),
    ),
    [remove.name]: ofFollowed(({ all, entry }, caller, parts) => removeFollowed(entry ? [entry] : all, 'automation', caller, parts)),
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
    [pause.name]: pauseSubcommand('pause'),
    [resume.name]: pauseSubcommand('resume'),
    async [run.name](interaction, { texts }, reader) {
      const id = await findRule(typedRule(interaction), { controls, texts });
      const explanation = existing(await controls.explain(id), texts, id);
      if (!explanation.on) throw new UserError(texts.controls.errors.notOn(escaped(id, 100)));
      return runQuestion(explanation, reader);
    },
    [preview.name]: async (interaction, caller, reader) =>
      previewOf(await findRule(typedRule(interaction), { controls, texts: caller.texts }), caller, reader),
    async [test.name](interaction, caller, reader) {
      // All instances of a rule share its test file.
      const [{ id, name }] = await findRules(typedRule(interaction), { controls, texts: caller.texts });
      return testCard(name, existing(await controls.testRule({ rule: id }, operatorOf(caller)), caller.texts, id), reader);
    },
  };

  /** Pauses or resumes. The card of the rule is updated in place; other messages get an answer. */
  function pauseButton(isPaused: boolean): ComponentHandler {
    return async (interaction, [short = '', at], caller) => {
      const { id, on } = await ruleByShortId(short, { controls, texts: caller.texts });
      const content = await (isPaused ? pauseRule(id, caller) : resumeRule(id, caller));
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

  const components: Readonly<Record<string, ComponentHandler>> = {
    list: (interaction, [page], caller) => showPage(interaction, caller, clock, (reader) => ruleList(controls, pageIn(page), reader)),
    async show(interaction, parts, caller) {
      const cardFor = async (reader: Reader): Promise<Reply> => card(await ruleOf(parts, caller), caller, reader);
      if (parts.length === 1) await replyPrivately(interaction, cardFor(caller), clock);
      else await showPage(interaction, caller, clock, cardFor);
    },
    item: (interaction, parts, caller) =>
      showPage(interaction, caller, clock, async (reader) => itemCard(await controls.explainItem(parts.slice(0, -1).join(':')), reader)),
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
    ...(following && {
      switch: (interaction, [to], caller) => updateWith(interaction, switchFollowed(to === 'off', caller, following), clock),
      undo: (interaction, [id = ''], caller) => updateWith(interaction, undoFollowed(id, interaction, caller, following), clock),
    }),
    pause: pauseButton(true),
    resume: pauseButton(false),
    async run(interaction, [short = ''], caller) {
      const { id } = await ruleByShortId(short, { controls, texts: caller.texts });
      await closeRunQuestion(interaction, caller, { handled, clock });
      await interaction.update({ content: caller.texts.controls.running.at, components: [] });
      await interaction.editReply(await runCard(controls, id, caller));
    },
    async leave(interaction, _, caller) {
      await closeRunQuestion(interaction, caller, { handled, clock });
      await updateMessage(interaction, caller, clock, async () => ({ content: caller.texts.controls.running.left, components: [] }));
    },
  };

  async function suggest(interaction: AutocompleteInteraction, caller: Caller): Promise<readonly Suggestion[]> {
    const { reasons } = caller.texts;
    const { name, value } = interaction.options.getFocused(true);
    if (name === OPTIONS.item.name) {
      const rule = interaction.options.getString(OPTIONS.rule.name) ?? '';
      const wanted = value.toLowerCase();
      // Users recognize an item by its last decision. Its key may be just a number.
      const items = (await controls.items(rule)).map((item) => ({ key: item.key, message: reasons.decided(item) }));
      const fitting = items.filter(({ key, message }) => `${key} ${message}`.toLowerCase().includes(wanted));
      return fitting.map(({ key, message }) => ({ name: oneLine(message, MAX_SUGGESTION_LENGTH), value: key }));
    }
    const subcommand = interaction.options.getSubcommand(false);
    if (following && [enable.name, disable.name, remove.name].includes(subcommand ?? ''))
      return name === OPTIONS.one.name
        ? suggestFollowed(
            value,
            caller,
            following,
            (entry) => subcommand === remove.name || isPaused(entry) === (subcommand === enable.name),
          )
        : suggestRules(value, [{ id: FOLLOWED, name: FOLLOWED }]);
    const known = await controls.rules();
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
    inServer: IN_SERVER,
    data: automationForm(following !== undefined),
    suggest,
    async run(interaction, caller) {
      const subcommand = subcommands[interaction.options.getSubcommand()] ?? gone(caller);
      await replyPrivately(interaction, subcommand(interaction, caller, caller), clock);
    },
    components,
  };
}

function gone({ texts }: Caller): never {
  throw new UserError(texts.errors.gone);
}

/** A rule may be deleted between the choice of its id and the query. */
function existing<T>(found: T | undefined, texts: Texts, id: string): T {
  if (found === undefined) throw noLongerRule(id, texts);
  return found;
}

function namesOf(ids: readonly string[]): string {
  const some = ids.slice(0, MAX_NAMED).map((id) => escaped(id, 100));
  return `**${some.join(', ')}**${ids.length > MAX_NAMED ? ', …' : ''}`;
}
