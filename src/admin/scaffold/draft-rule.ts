import { exactDuration, parseDuration } from '#src/clients/operation/duration.ts';
import type { ScaffoldAnswers } from './answers.ts';

const LEAST_GRACE_MS = 10 * 60_000;

/** The YAML of a rule with the answers of its author. */
export function draftRule(answers: ScaffoldAnswers): string {
  const lines = [`id: ${answers.id}`, `about: ${yamlText(aboutOf(answers))}`, '', ...whenOf(answers), '', ...stepsOf(answers)];
  return `${lines.join('\n')}\n`;
}

/** The grace period of a stream: at least two polls. */
export function graceMs({ every }: Pick<ScaffoldAnswers, 'every'>): number {
  return Math.max(LEAST_GRACE_MS, 3 * (parseDuration(every) ?? 0));
}

function aboutOf({ kind, whom, take }: ScaffoldAnswers): string {
  const names = whom.join(', ');
  switch (kind) {
    case 'top':
      return `Announces streams that enter the top ${take} of ${names}.`;
    case 'live':
      return `One card for each stream of ${names}: sent at the start, updated during the stream, closed at the end.`;
    case 'clips':
      return `Announces new clips of ${names}.`;
    case 'posts':
      return `Announces new posts of ${names}.`;
  }
}

function whenOf(answers: ScaffoldAnswers): readonly string[] {
  const { kind, whom, every, least, take, account, targets } = answers;
  const [first = ''] = whom;
  const shared = { when: ['when:', `  every: ${every}`], account: account === undefined ? [] : [`  account: ${account}`] };
  const where = (field: string): readonly string[] => (least > 0 ? [`  where: item.${field} >= ${least}`] : []);
  const settle = `  settle: ${exactDuration(2 * (parseDuration(every) ?? 0))} # streams that leave before this time are not announced`;
  switch (kind) {
    case 'top':
      return [
        ...shared.when,
        '  watch: streaming.getGameStreams',
        `  with: { game: ${yamlText(first)} }`,
        ...shared.account,
        ...where('viewerCount'),
        `  take: ${take}`,
        settle,
        'cooldown: 6h # no channel is announced twice within this time',
      ];
    case 'live':
      return [
        ...shared.when,
        '  watch: streaming.getStreams',
        `  with: { users: [${whom.map(yamlText).join(', ')}] }`,
        ...shared.account,
        ...where('viewerCount'),
        `  grace: ${exactDuration(graceMs(answers))} # a stream that returns within this time is the same stream`,
      ];
    case 'clips':
      return [
        ...shared.when,
        '  watch: streaming.getGameClips',
        `  with: { game: ${yamlText(first)}, sort: TIME }`,
        ...shared.account,
        ...where('viewCount'),
        ...(least > 0 ? ['  maxAge: 1d # the time that a clip has to get these views'] : []),
      ];
    case 'posts':
      return [
        ...shared.when,
        '  watch: social.getPosts',
        `  with: { user: ${yamlText(first)} }`,
        ...shared.account,
        // Such a rule would post about the posts that it makes.
        `  where: item.repostOf == ""${targets.post ? ' && !item.author.self' : ''} # no reposts${targets.post ? ', and no posts of the account itself' : ''}`,
      ];
  }
}

function stepsOf(answers: ScaffoldAnswers): readonly string[] {
  const { kind, targets } = answers;
  const post = targets.post ? postStep(answers) : [];
  if (targets.channel === undefined) return ['then:', ...post];
  if (kind === 'live') return ['then:', ...post, ...cardSteps(targets.channel)];
  const text = TEXTS[kind](answers);
  const send = ['  - do: discord.send', '    with:', `      channel: ${yamlText(targets.channel)}`, `      content: ${yamlText(text)}`];
  return ['then:', ...post, ...send];
}

/** The text of an announcement. */
const TEXTS: Readonly<Record<ScaffoldAnswers['kind'], (answers: ScaffoldAnswers) => string>> = {
  top: ({ whom }) =>
    `\${{ item.owner.displayName }} is now #\${{ item.rank }} in ${whom.join(', ')} with \${{ compact(item.viewerCount) }} viewers: \${{ item.url }}`,
  live: () => '${{ item.owner.displayName }} is live: ${{ item.title }} ${{ item.url }}',
  clips: () => '${{ item.title }} by ${{ item.owner.displayName }}: ${{ item.url }}',
  posts: () => '${{ item.author.displayName }} wrote: ${{ item.url }}',
};

function postStep(answers: ScaffoldAnswers): readonly string[] {
  return ['  - id: post', '    do: social.createPost', '    with:', `      text: ${yamlText(TEXTS[answers.kind](answers))}`];
}

function cardSteps(channel: string): readonly string[] {
  return [
    '  - id: card',
    '    do: discord.send',
    '    with:',
    `      channel: ${yamlText(channel)}`,
    '      content: "**${{ item.owner.displayName }}** is live!"',
    '      # mention: [Live]  # pings a role; only roles and members that are named here are pinged',
    '      embed:',
    '        title: "${{ item.title }}"',
    '        url: "${{ item.url }}"',
    '        description: "${{ item.game.name }}"',
    '        image: "${{ item.thumbnailUrl }}"',
    '',
    'while:',
    '  - do: discord.edit',
    '    if: episode.polls % 5 == 0 # every fifth poll; the parts that are not named here stay',
    '    with:',
    '      message: "${{ steps.card.id }}"',
    '      content: "**${{ item.owner.displayName }}** is live!" # a stream that is back after its end has a closed card',
    '      embed:',
    '        title: "${{ item.title }}"',
    '        description: "${{ item.game.name }}"',
    '        image: "${{ item.thumbnailUrl }}"',
    '        footer: "${{ compact(item.viewerCount) }} watching"',
    '',
    'finally:',
    '  - do: discord.edit',
    '    with:',
    '      message: "${{ steps.card.id }}"',
    '      content: "**${{ item.owner.displayName }}** was live."',
    '      embed:',
    '        image: "" # an empty text removes a part, here the outdated picture',
    '        footer: "was live for ${{ duration(episode.lengthMs) }}, peak ${{ compact(episode.peak.viewerCount) }}"',
  ];
}

/** Plain words that YAML does not read as text. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|~)$/iu;

/** A text as YAML: plain if that is safe, else in quotes. */
function yamlText(text: string): string {
  const isPlain = /^[\p{L}][\p{L}\p{N} ._'-]*$/u.test(text) && !text.endsWith(' ') && !NOT_TEXT.test(text);
  return isPlain ? text : JSON.stringify(text);
}
