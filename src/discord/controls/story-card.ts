import type { APIEmbedField } from 'discord.js';
import type { Reader } from '../cards/card.ts';
import { instant } from '../cards/figures.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import type { KnownRule, MessageStory, ToldOrigin } from './controls.ts';
import { decisionLine } from './rule-lines.ts';
import { ruleButtons } from './rule-card.ts';
import { moment, numeral, stepText, timeSpan } from './text.ts';

/** A message, as far as it says itself where it comes from. */
export interface AskedMessage {
  /** `channel/message`. */
  readonly id: string;
  /** The id of who wrote it. */
  readonly author: string;
  readonly isOwn: boolean;
  /** The id of the person whose command it answers. */
  readonly commandOf?: string | undefined;
}

export interface StoryOptions {
  readonly message: AskedMessage;
  readonly story: MessageStory;
  /** The rule that wrote it, as it is now; absent: there is none. */
  readonly rule: KnownRule | undefined;
  /** Whether whoever asks may do something about it. */
  readonly mayOperate: boolean;
}

/** Why a message is there: which rule, which change, which step, with what lag; of any other, who wrote it. */
export function storyCard({ message, story: { told, isAnswer }, rule: known, mayOperate }: StoryOptions, reader: Reader): Reply {
  const { controls } = reader.words;
  const [first] = told;
  const last = told.at(-1);
  if (!first || !last) return { content: originText(message, isAnswer, reader) };
  const { postedBy, rule, createdAt } = first.delivery;
  if (postedBy !== undefined) return { content: controls.message.byPost(escaped(postedBy, 80), moment(createdAt)) };
  return {
    content: '',
    embeds: [
      {
        title: escaped(rule, 200),
        fields: [
          ...originFields(first, controls.message.written, reader),
          { name: controls.message.lag, value: lagLines(first, reader).join('\n') },
          ...(last === first ? [] : editFields(told, last, reader)),
        ],
        ...(!known && { footer: { text: controls.message.isGone } }),
      },
    ],
    components: mayOperate && known ? ruleButtons({ id: rule, isPaused: known.paused, isOn: known.on }, reader, 'answer') : [],
  };
}

function originText({ isOwn, author, commandOf }: AskedMessage, isAnswer: boolean, { words: { controls } }: Reader): string {
  const { byPerson, byAssistant, byCommand, byBot } = controls.message;
  if (isAnswer) return byAssistant;
  if (!isOwn) return byPerson(`<@${author}>`);
  return commandOf === undefined ? byBot : byCommand(`<@${commandOf}>`);
}

/** What was done, and why. */
function originFields({ delivery, decision }: ToldOrigin, name: string, reader: Reader): readonly APIEmbedField[] {
  const { controls } = reader.words;
  const { message } = controls;
  const { place, do: verb, account, section, sentAt, createdAt } = delivery;
  const step = message.step(stepText(place, { controls }), `\`${verb}\``, escaped(account, 60));
  const why = decision ? decisionLine(decision, reader) : section === 'while' ? message.keepsUp : message.forgotten;
  return [
    { name, value: `${moment(sentAt ?? createdAt)}\n${step}` },
    { name: message.why, value: why },
  ];
}

function lagLines({ delivery, slotMs, wantedMs, startedAt }: ToldOrigin, reader: Reader): readonly string[] {
  const { message } = reader.words.controls;
  const sentMs = (delivery.sentAt ?? delivery.createdAt).getTime();
  const hasBegun = startedAt && startedAt.getTime() <= slotMs;
  return [
    message.took(timeSpan(sentMs - wantedMs, reader)),
    ...(wantedMs > slotMs ? [message.waited] : []),
    ...(hasBegun ? [message.began(moment(startedAt), timeSpan(slotMs - startedAt.getTime(), reader))] : []),
    message.seen(second(slotMs), second(sentMs)),
  ];
}

function editFields(told: readonly ToldOrigin[], last: ToldOrigin, reader: Reader): readonly APIEmbedField[] {
  const { message } = reader.words.controls;
  const { sentAt, createdAt } = last.delivery;
  return [
    { name: message.edits, value: message.edited(numeral(told.length - 1, reader), instant(sentAt ?? createdAt)) },
    ...originFields(last, message.lastChange, reader),
  ];
}

/** An instant to the second. */
function second(ms: number): string {
  return `<t:${Math.floor(ms / 1000)}:T>`;
}
