import {
  AttachmentBuilder,
  type BaseInteraction,
  MessageFlags,
  type ChatInputCommandInteraction,
  type ModalSubmitInteraction,
} from 'discord.js';
import type { ActionInput } from '#src/admin/actions/declarations.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import { listYaml } from '#src/admin/lists/list-yaml.ts';
import { channelLink } from '#src/admin/queries/find-streamers.ts';
import { servedFields } from '#src/admin/lists/served-lists.ts';
import { UserError } from '#src/errors.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { keyOfEntry } from '#src/rules/people/entry-key.ts';
import { entryNames } from '#src/rules/people/index-people.ts';
import { memberActor } from '#src/discord/actor.ts';
import { replyPrivately, updateWith } from '#src/discord/reply.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { ComponentHandler, FormHandler, SlashCommand, Suggestion } from '#src/discord/command.ts';
import { button, pageButtons, pageIn } from '#src/discord/components.ts';
import { followForm } from '#src/discord/following/command-form.ts';
import { answerFollowed } from '#src/discord/following/answer-followed.ts';
import { announcementText } from '#src/discord/following/announcement-text.ts';
import { attachedText } from '#src/discord/following/attached-text.ts';
import { channelWarnings, entryWarning, pingWarning } from '#src/discord/following/channel-warning.ts';
import { entriesNamed, entryNamed } from '#src/discord/following/entries-named.ts';
import { showEditForm } from '#src/discord/following/show-edit-form.ts';
import { editedFields, editedValues, mentionsOther, namesForm, namesIn, versionOf } from '#src/discord/following/edit-form.ts';
import {
  follow,
  followedOf,
  followOn,
  memberLine,
  nextText,
  platformsOf,
  shownName,
  shownWords,
  stopOf,
  withoutChannel,
  type FollowingParts,
} from '#src/discord/following/follow.ts';
import type { RenderCard } from '#src/discord/following/followed-card.ts';
import { channelText, isPaused, targetOf } from '#src/discord/following/followed-list.ts';
import { removeFollowed, suggestFollowed, undoFollowed } from '#src/discord/following/change-followed.ts';
import { importFollowed } from '#src/discord/following/import-followed.ts';
import { assertOwn } from '#src/discord/following/own-fields.ts';
import { showPreview } from '#src/discord/following/preview.ts';
import { memberIn, onlyIn } from '#src/discord/following/typed-options.ts';
import { en } from '#src/discord/language/en/index.ts';
import { shortId } from '#src/discord/controls/find-rule.ts';
import { lastLine } from '#src/discord/controls/lines.ts';
import { layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { titleOf } from '#src/discord/lookups/accounts.ts';
import type { Suggest } from '#src/discord/lookups/fields.ts';

const PAGE = 10;
/** How long the shipped rule may take to start after the first streamer was added. */
const RULE_STARTS_MS = 10_000;
const RULE_CHECK_MS = 500;
const { add, edit, list, remove, import: importing, export: exporting, options: OPTIONS } = en.following;

export interface FollowCommandOptions extends FollowingParts {
  readonly controls: FollowingParts['controls'] & Pick<Actions, 'announceItem'> & Pick<OperatorQueries, 'items'>;
  readonly suggest: Suggest;
  /** Renders the card of a streamer; absent: there is no preview of it. */
  readonly renderCard?: RenderCard | undefined;
}

type EntryEdit = Pick<ActionInput<'changeListEntry'>, 'fields' | 'expected'>;
type Run = (interaction: ChatInputCommandInteraction, caller: Caller) => Promise<void>;

/** `/follow`: the streamers that a server follows. */
export function followCommand(parts: FollowCommandOptions): SlashCommand {
  const { controls, references, storedServers, suggest, clock } = parts;
  const platforms = platformsOf(parts);
  const accounts = Object.fromEntries([...parts.streaming].map(([account, { platformName }]) => [account, platformName]));

  async function page(number: number, interaction: BaseInteraction, caller: Caller): Promise<Layout> {
    const { following: texts } = caller.texts;
    const entries = await followedOf(caller, parts);
    if (entries.length === 0) return layout([textBlock(texts.empty), row(button('follow:form', texts.buttons.add, { style: 'good' }))]);
    const from = Math.min(number, Math.ceil(entries.length / PAGE) - 1) * PAGE;
    const settings = await storedServers.find(requireServer(caller));
    const last = new Map((await controls.items(FOLLOWED)).map((item) => [item.key, item]));
    const shown = entries.slice(from, from + PAGE).map((entry) => ({ entry, ...targetOf(entry.fields, settings) }));
    const warnings = await channelWarnings(new Set(shown.flatMap(({ channel }) => channel ?? [])), interaction, caller);
    const lines = shown.flatMap(({ entry, channel }, index) => {
      // One warning for all streamers of a channel.
      const isFirst = channel !== undefined && shown.findIndex((one) => one.channel === channel) === index;
      const warning = isFirst ? warnings.get(channel) : undefined;
      const on = [...new Set(Object.keys(entryNames(entry, accounts)).map((account) => titleOf(accounts[account] ?? account)))].join(', ');
      const decided = last.get(keyOfEntry(entry));
      const words = shownWords(entry);
      return [
        [texts.line(shownName(entry), on, channelText(channel)), words ?? [], isPaused(entry) ? texts.paused : []].flat().join(' · '),
        ...(warning === undefined ? [] : [warning]),
        ...(decided === undefined ? [] : [lastLine(decided, caller)]),
      ];
    });
    const paging = pageButtons(
      {
        page: from / PAGE,
        more: from + PAGE < entries.length,
        idOf: (role, target) => `follow:${role === 'page' ? 'here' : 'list'}:${target}:${role}`,
      },
      caller,
    );
    const off = await stopOf(settings, caller, parts);
    return layout([textBlock(texts.title.list(entries.length), off, ...lines), paging.length > 0 && row(...paging)]);
  }

  /** The entry of a custom id. An entry may be of another server: custom ids are not secret. */
  async function entryOf(short: string, caller: Caller) {
    const entry = (await followedOf(caller, parts)).find(({ id }) => shortId(id) === short);
    if (!entry) throw new UserError(caller.texts.following.notFollowed(escaped(short, 100)));
    return entry;
  }

  /** The shipped rule runs only while its list exists, so it may be about to start. */
  async function requested(item: string, caller: Caller) {
    for (let waitedMs = 0; ; waitedMs += RULE_CHECK_MS) {
      const result = await controls.announceItem({ rule: FOLLOWED, item }, memberActor(caller), caller.signal);
      if (result || waitedMs >= RULE_STARTS_MS) return result;
      await clock.sleep(RULE_CHECK_MS, caller.signal);
    }
  }

  async function announced(id: string, interaction: BaseInteraction, caller: Caller): Promise<Layout> {
    const { following: texts } = caller.texts;
    const entry = await entryOf(id, caller);
    const name = shownName(entry);
    const { fields } = entry;
    if (servedFields(fields, (await storedServers.find(requireServer(caller))) ?? {})['paused'] === true)
      return layout([textBlock(isPaused(entry) ? texts.streamerPaused(name) : texts.off)]);
    const warning = await entryWarning(entry, interaction, caller, parts);
    if (warning !== undefined) return layout([textBlock(warning)]);
    const result = await requested(keyOfEntry(entry), caller);
    return layout([textBlock(result ? announcementText(result, entry, caller) : texts.noRule)]);
  }

  async function changed(entry: ListEntry, { fields, expected }: EntryEdit, interaction: BaseInteraction, caller: Caller): Promise<Layout> {
    const { following: texts } = caller.texts;
    const input = { list: FOLLOWED, server: requireServer(caller), entry: entry.id, fields, expected };
    const { change, entries } = await controls.changeListEntry(input, memberActor(caller));
    // Another member may have changed other fields in the meantime.
    const after = entries[0]?.fields ?? {};
    const settings = await storedServers.find(requireServer(caller));
    const target = targetOf(after, settings);
    const words = shownWords({ fields: after });
    const { member } = fields;
    return layout([
      textBlock(
        texts.title.edited(shownName(entry)),
        (await stopOf(settings, caller, parts)) ??
          (await entryWarning({ fields: after }, interaction, caller, parts)) ??
          (isPaused({ fields: after }) ? texts.streamerPaused(shownName(entry)) : nextText(target, caller)),
        await pingWarning(target, interaction, caller),
        mentionsOther(fields, target.ping) && texts.messagePingsNoOne,
        words !== undefined && texts.only(words),
        memberLine(member, settings, caller),
      ),
      change && row(button(`follow:undo:${change.id}`, texts.buttons.undo)),
    ]);
  }

  async function edited(
    interaction: ModalSubmitInteraction,
    { id, version }: { readonly id: string; readonly version: string | undefined },
    caller: Caller,
  ): Promise<Layout> {
    const entry = await entryOf(id, caller);
    // A form of an earlier version has none.
    if (version !== undefined && version !== versionOf(entry))
      throw new UserError(caller.texts.following.changedMeanwhile(shownName(entry)));
    const fields = editedFields(interaction, entry, caller.texts);
    await assertOwn(fields, interaction, caller);
    return changed(entry, { fields, expected: editedValues(entry) }, interaction, caller);
  }

  const typed = ({ options }: ChatInputCommandInteraction): string => options.getString(OPTIONS.streamer.name, true);

  const subcommands: Readonly<Record<string, Run>> = {
    async [add.name](interaction, caller) {
      const channel = interaction.options.getChannel(OPTIONS.channel.name)?.id;
      const role = interaction.options.getRole(OPTIONS.ping.name)?.id;
      const member = memberIn(interaction, caller);
      const only = onlyIn(interaction, caller) ?? undefined;
      const options = { channel, ping: role, member, only };
      const work = assertOwn(options, interaction, caller).then(() => follow(typed(interaction), options, caller, parts));
      await answerFollowed(interaction, work, caller, parts);
    },
    [list.name]: (interaction, caller) => replyPrivately(interaction, page(0, interaction, caller), clock),
    async [remove.name](interaction, caller) {
      const entries = await entriesNamed(typed(interaction), await followedOf(caller, parts), caller, parts);
      await replyPrivately(interaction, removeFollowed(entries, 'follow', caller, parts), clock);
    },
    async [edit.name](interaction, caller) {
      const entry = await entryNamed(typed(interaction), await followedOf(caller, parts), caller, parts);
      const only = onlyIn(interaction, caller);
      const member = memberIn(interaction, caller);
      const fields = {
        ...(only !== undefined && { only }),
        // A menu of users cannot be empty.
        ...(member !== undefined && { member: member === interaction.client.user.id ? null : member }),
      };
      if (Object.keys(fields).length === 0) await showEditForm(interaction, entry, caller, clock);
      else await replyPrivately(interaction, changed(entry, { fields }, interaction, caller), clock);
    },
    async [importing.name](interaction, caller) {
      const { following: texts } = caller.texts;
      const file = interaction.options.getAttachment(OPTIONS.file.name);
      if (file) {
        const work = attachedText(file, caller).then((text) => importFollowed(text, interaction, caller, parts));
        await answerFollowed(interaction, work, caller, parts);
      } else
        await interaction.showModal(namesForm('follow:imported', texts.form.importTitle, texts.form.importNames, texts.form.namesHint));
    },
    async [exporting.name](interaction, caller) {
      const entries = await followedOf(caller, parts);
      if (entries.length === 0) throw new UserError(caller.texts.following.empty);
      const yaml = listYaml(entries.map(({ id, fields }) => [id, fields]));
      const file = new AttachmentBuilder(Buffer.from(yaml), { name: 'followed.yaml' });
      await interaction.reply({ files: [file], flags: MessageFlags.Ephemeral });
    },
  };

  const components: Readonly<Record<string, ComponentHandler>> = {
    async form(interaction, _, caller) {
      const { form } = caller.texts.following;
      // Names that a member types before there is a channel would be lost.
      const refused = withoutChannel(await storedServers.find(requireServer(caller)), caller);
      if (refused) await replyPrivately(interaction, Promise.resolve(refused), clock);
      else await interaction.showModal(namesForm('follow:names', form.addTitle, form.names, form.namesHint));
    },
    async pick(interaction, [platform = '', reference = ''], caller) {
      const { handle, ...options } = (await references.read('follow', reference)) ?? {};
      if (handle === undefined) throw new UserError(caller.texts.errors.gone);
      const chosen = platform === 'all' ? platforms : [platform];
      const work = assertOwn(options, interaction, caller).then(() => followOn(handle, chosen, options, caller, parts));
      await answerFollowed(interaction, work, caller, parts);
    },
    undo: (interaction, [change = ''], caller) => updateWith(interaction, undoFollowed(change, interaction, caller, parts), clock),
    announce: (interaction, [id = ''], caller) => replyPrivately(interaction, announced(id, interaction, caller), clock),
    list: (interaction, [number], caller) => updateWith(interaction, page(pageIn(number), interaction, caller), clock),
  };

  const forms: Readonly<Record<string, FormHandler>> = {
    names: (interaction, _, caller) => answerFollowed(interaction, follow(namesIn(interaction), {}, caller, parts), caller, parts),
    imported: (interaction, _, caller) =>
      answerFollowed(interaction, importFollowed(namesIn(interaction), interaction, caller, parts), caller, parts),
    async edited(interaction, [id = '', version], caller) {
      await replyPrivately(interaction, edited(interaction, { id, version }, caller), clock);
      await showPreview(interaction, await entryOf(id, caller), caller, parts);
    },
  };

  return {
    needs: 'follow',
    data: followForm(),

    async suggest(interaction, caller): Promise<readonly Suggestion[]> {
      const focused = interaction.options.getFocused();
      if (interaction.options.getSubcommand(false) !== add.name) return suggestFollowed(focused, caller, parts);
      // Of several names, the last one is being typed.
      const [, before = '', last = ''] = /^(.*[\s,;])?(.*)$/su.exec(focused) ?? [];
      const [platform = ''] = platforms;
      const found = await suggest(last, {}, caller);
      return found.map((one) => {
        const { name, value } = typeof one === 'string' ? { name: one, value: one } : one;
        return { name: `${before}${name}`, value: `${before}${channelLink(platform, value)}` };
      });
    },

    async run(interaction, caller) {
      requireServer(caller);
      await subcommands[interaction.options.getSubcommand()]?.(interaction, caller);
    },

    components,
    forms,
  };
}
