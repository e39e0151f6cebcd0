import type { APIEmbed } from 'discord.js';
import type { PreviewView, SayingView, SceneView, StepView } from '#src/cli/preview-view.ts';
import { addressOf, COLORS, type Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { placeOf, sayingText } from './preview-saying.ts';
import { numeral, stepText, timeSpan } from './text.ts';

/** All embeds of a message together have room for 6000 characters, the first among them, and the text of one for 4096. */
const ROOM = 4_400;
const LONGEST_SCENE = 3_800;
/** The first of ten tells what was read. */
const MOST_SCENES = 9;

/** What a rule would say now: one embed for each thing that happens, with the messages as they would look. */
export function previewCard({ rule, read, scenes }: PreviewView, reader: Reader): Reply {
  const { previewing } = reader.words.controls;
  const lines = [
    ...(read ? readLines(read, reader) : []),
    ...(scenes.length === 0 && read?.failure === undefined ? [previewing.nothing] : []),
  ];
  const shown = fitting(scenes.map((scene) => sceneEmbed(scene, reader)));
  const isCut = shown.length < scenes.length;
  const head: APIEmbed = {
    title: previewing.title(escaped(rule.id, 200)),
    description: [...lines, ...(isCut ? [`-# ${previewing.cut}`] : [])].join('\n'),
    footer: { text: previewing.nothingSent },
  };
  return { content: '', embeds: [head, ...shown] };
}

/** As many of the first as there is room for. */
function fitting(embeds: readonly APIEmbed[]): readonly APIEmbed[] {
  let room = ROOM;
  const end = embeds.findIndex(({ title = '', description = '' }) => (room -= title.length + description.length) < 0);
  return embeds.slice(0, Math.min(end < 0 ? embeds.length : Math.max(end, 1), MOST_SCENES));
}

function readLines(
  { failure, fault, count, counted, madeUp, refused }: NonNullable<PreviewView['read']>,
  reader: Reader,
): readonly string[] {
  const { controls, reasons } = reader.words;
  const { previewing } = controls;
  if (failure !== undefined) return [`⚠️ ${previewing.failed(escaped(reasons.unread({ failure, fault }), 300))}`];
  return [
    previewing.read(numeral(count, reader), numeral(counted, reader)),
    ...(madeUp ? [previewing.madeUp] : []),
    ...refused.map(({ name, ...because }) => `-# ${escaped(name, 80)}: ${escaped(reasons.unfit(because), 200)}`),
  ];
}

function sceneEmbed({ kind, name, silence, steps }: SceneView, reader: Reader): APIEmbed {
  const { controls, reasons } = reader.words;
  const about = name ?? (silence?.why && 'name' in silence.why ? silence.why.name : undefined);
  const why = silence && controls.previewing.silent(escaped(reasons.decided(silence), 300));
  const blocks = [...(why === undefined ? [] : [[`🔇 ${why}`]]), ...steps.map((step) => stepLines(step, reader))];
  return {
    title: controls.previewing.scenes[kind](about === undefined ? undefined : escaped(about, 150)),
    description: upTo(
      blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
      LONGEST_SCENE,
    ),
    color: COLORS.social,
    ...pictureIn(steps.flatMap(({ sayings }) => sayings)),
  };
}

function upTo(lines: readonly string[], most: number): string {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > most);
  return (end < 0 ? lines : [...lines.slice(0, end), '…']).join('\n');
}

/** One step: where and through whom it says something, and below that how it looks, or why it says nothing. */
function stepLines({ place, do: verb, account, after, undone, reads, remarks, sayings }: StepView, reader: Reader): readonly string[] {
  const { controls, reasons } = reader.words;
  const { card, previewing } = controls;
  const [first] = sayings;
  const facts = [
    `**${stepText(place, { controls })}**${first?.place ? ` → ${placeOf(first.place, reader)}` : ''}`,
    card.step(`\`${verb}\``, escaped(account, 60)),
    ...(after ? [card.waits(timeSpan(after.ms, reader))] : []),
    ...(reads ? [previewing.asked] : []),
  ];
  const why = undone && escaped(reasons.delivered(undone) ?? '', 300);
  return [
    facts.join(' · '),
    ...(why === undefined ? [] : [undone?.kind === 'failed' ? `⚠️ ${previewing.failedStep(why)}` : `-# ${previewing.skippedStep(why)}`]),
    ...sayings.flatMap((saying) => sayingText(saying, reader)),
    ...remarks.map((remark) => {
      if (remark.kind === 'cut') return `⚠️ ${previewing.shortened}`;
      if (remark.kind === 'file') return `⚠️ ${previewing.file(escaped(remark.path, 200), escaped(remark.error, 100))}`;
      if (remark.kind === 'without') {
        const missing = escaped(reasons.delivered({ omitted: [remark.omission] }) ?? '', 300);
        return `⚠️ ${remark.strict ? previewing.failedStep(missing) : missing}`;
      }
      return `⚠️ ${previewing.closed(escaped(remark.channel, 100), escaped(remark.error, 200))}`;
    }),
  ];
}

/** The first picture that is said. */
function pictureIn(sayings: readonly SayingView[]): Pick<APIEmbed, 'image' | 'thumbnail'> {
  for (const { embed } of sayings) {
    for (const size of ['image', 'thumbnail'] as const) {
      const url = embed?.[size];
      const address = typeof url === 'string' ? addressOf(url) : undefined;
      if (address !== undefined) return { [size]: { url: address } };
    }
  }
  return {};
}
