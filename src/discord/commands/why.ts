import type { KnownRule, MessageOrigin, MessageExplanation } from '#src/admin/queries/records.ts';
import { ApplicationCommandType, ContextMenuCommandBuilder, type APIEmbedField, type Message } from 'discord.js';
import type { Caller, Reader } from '#src/discord/caller.ts';
import type { ControlsOptions } from '#src/discord/controls/command-reply.ts';
import { decisionLine, stepName } from '#src/discord/controls/lines.ts';
import { ruleButtons } from '#src/discord/controls/rule-card.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localizations } from '#src/discord/language/languages.ts';
import { replyPrivately, type Reply } from '#src/discord/reply.ts';
import { dateTime, instant, numeral, timeSpan, timeToSecond } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { MessageCommand } from '#src/discord/command.ts';

/** `Why this message?` in the menu of a message: its rule, its change and its delay. */
export function whyCommand({ controls, clock }: ControlsOptions): MessageCommand {
  async function explain(message: Message, server: string | null, caller: Caller): Promise<Reply> {
    const explanation = await controls.explainMessage({ message: `${message.channelId}/${message.id}`, server: server ?? undefined });
    const [first] = explanation.origins;
    if (!first) return { content: authorLine(message, explanation, caller) };
    const rule = (await controls.rules()).find(({ id }) => id === first.delivery.rule);
    return originsCard(explanation, rule, caller);
  }

  return {
    needs: 'look',
    data: new ContextMenuCommandBuilder()
      .setType(ApplicationCommandType.Message)
      .setName(en.controls.whyMessage)
      .setNameLocalizations(localizations((texts) => texts.controls.whyMessage))
      .toJSON(),

    async run(interaction, caller) {
      await replyPrivately(interaction, explain(interaction.targetMessage, interaction.guildId, caller), clock);
    },
  };
}

/** The author of a message that no rule wrote. */
function authorLine(
  { author, client, interactionMetadata }: Message,
  { isAnswer }: MessageExplanation,
  { texts: { controls } }: Reader,
): string {
  const { byPerson, byAssistant, byCommand, byBot } = controls.message;
  if (isAnswer) return byAssistant;
  if (author.id !== client.user.id) return byPerson(`<@${author.id}>`);
  return interactionMetadata ? byCommand(`<@${interactionMetadata.user.id}>`) : byBot;
}

function originsCard({ origins }: MessageExplanation, known: KnownRule | undefined, caller: Caller): Reply {
  const { message } = caller.texts.controls;
  const [first, last] = [origins[0], origins.at(-1)];
  if (!first || !last) return { content: message.byBot };
  const { postedBy, rule, createdAt } = first.delivery;
  if (postedBy !== undefined) return { content: message.byPost(escaped(postedBy, 80), dateTime(createdAt)) };
  return {
    content: '',
    embeds: [
      {
        title: escaped(rule, 200),
        fields: [
          ...originFields(first, message.written, caller),
          { name: message.lag, value: lagLines(first, caller).join('\n') },
          ...(last === first ? [] : editFields(origins, last, caller)),
        ],
        ...(!known && { footer: { text: message.isGone } }),
      },
    ],
    components:
      caller.may('operate') && !caller.scope && known
        ? ruleButtons({ id: rule, isPaused: known.paused, isOn: known.on }, caller, 'answer')
        : [],
  };
}

/** The step, and the reason of its decision. */
function originFields({ delivery, decision }: MessageOrigin, name: string, reader: Reader): readonly APIEmbedField[] {
  const { message } = reader.texts.controls;
  const { position, do: verb, account, section, sentAt, createdAt } = delivery;
  const step = message.step(stepName(position, reader.texts), `\`${verb}\``, escaped(account, 60));
  const why = decision ? decisionLine(decision, reader) : section === 'while' ? message.keepsUp : message.forgotten;
  return [
    { name, value: `${dateTime(sentAt ?? createdAt)}\n${step}` },
    { name: message.why, value: why },
  ];
}

function lagLines({ delivery, slotMs, wantedMs, startedAt }: MessageOrigin, reader: Reader): readonly string[] {
  const { message } = reader.texts.controls;
  const sentAt = delivery.sentAt ?? delivery.createdAt;
  // A slow poll also sees events that began after the time of its slot. An event after the message is only planned.
  const hasStarted = startedAt && startedAt <= sentAt;
  return [
    message.took(timeSpan(sentAt.getTime() - wantedMs, reader)),
    ...(wantedMs > slotMs ? [message.waited] : []),
    ...(hasStarted ? [message.began(dateTime(startedAt), timeSpan(Math.max(slotMs - startedAt.getTime(), 0), reader))] : []),
    message.seen(timeToSecond(new Date(slotMs)), timeToSecond(sentAt)),
  ];
}

function editFields(origins: readonly MessageOrigin[], last: MessageOrigin, reader: Reader): readonly APIEmbedField[] {
  const { message } = reader.texts.controls;
  const { sentAt, createdAt } = last.delivery;
  return [
    { name: message.edits, value: message.edited(numeral(origins.length - 1, reader), instant(sentAt ?? createdAt)) },
    ...originFields(last, message.lastChange, reader),
  ];
}
