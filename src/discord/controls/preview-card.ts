import type { PreviewView, SayingView, SceneView, StepView } from '#src/cli/preview-view.ts';
import type { Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { escaped } from '../text/foreign-text.ts';
import { numeral } from './text.ts';

const LONGEST = 3_800;
const LONGEST_LINE = 400;

/** What a rule would say now. */
export function previewCard({ rule, read, scenes }: PreviewView, reader: Reader): Reply {
  const { previewing } = reader.words.controls;
  const lines = [
    ...(read ? readLines(read, reader) : []),
    ...scenes.flatMap((scene) => ['', ...sceneLines(scene, reader)]),
    ...(scenes.length === 0 && read?.failure === undefined ? [previewing.nothing] : []),
  ];
  return {
    content: '',
    embeds: [
      {
        title: previewing.title(escaped(rule.id, 200)),
        description: upTo(lines, previewing.cut),
        footer: { text: previewing.nothingSent },
      },
    ],
  };
}

function upTo(lines: readonly string[], cut: string): string {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > LONGEST);
  return (end < 0 ? lines : [...lines.slice(0, end), `-# ${cut}`]).join('\n').trim();
}

function readLines({ failure, count, counted, madeUp, refused }: NonNullable<PreviewView['read']>, reader: Reader): readonly string[] {
  const { previewing } = reader.words.controls;
  if (failure !== undefined) return [`⚠️ ${previewing.failed(escaped(failure, 300))}`];
  return [
    previewing.read(numeral(count, reader), numeral(counted, reader)),
    ...(madeUp ? [previewing.madeUp] : []),
    ...refused.map(({ name, because }) => `-# ${escaped(name, 80)}: ${escaped(because, 200)}`),
  ];
}

function sceneLines({ title, silence, steps }: SceneView, reader: Reader): readonly string[] {
  const why = silence === undefined ? '' : `: ${reader.words.controls.previewing.silent(escaped(silence, 300))}`;
  return [`**${escaped(title, 200)}**${why}`, ...steps.flatMap((step) => stepLines(step, reader))];
}

function stepLines({ name, do: verb, account, after, undone, remark, sayings }: StepView, reader: Reader): readonly string[] {
  const { card } = reader.words.controls;
  const wait = after === undefined ? '' : ` ${card.waits(after)}`;
  return [
    `${escaped(name, 60)}${wait}: ${card.step(`\`${verb}\``, escaped(account, 60))}`,
    ...(undone ? [`-# ${escaped(undone.reason, 300)}`] : []),
    ...sayings.flatMap(sayingLines),
    ...(remark === undefined ? [] : [`-# ${escaped(remark, 300)}`]),
  ];
}

function sayingLines({ place, lines, lengths, pings }: SayingView): readonly string[] {
  const facts = [...lengths.map(({ text }) => text), ...(pings && pings.length > 0 ? [`@ ${pings.join(', ')}`] : [])];
  return [
    ...(place === undefined ? [] : [`-# → ${escaped(place, 150)}`]),
    ...lines.map((line) => `> ${escaped(line, LONGEST_LINE)}`),
    ...(facts.length === 0 ? [] : [`-# ${escaped(facts.join(' · '), 300)}`]),
  ];
}
