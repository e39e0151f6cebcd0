import { once } from 'node:events';
import { systemClock } from '#src/clock.ts';
import { createLog } from '#src/log.ts';
import { startWeb } from '#src/web/web.ts';
import { FakeApiQueries } from './fake-api-queries.ts';
import { noOperations } from './operations.ts';
import { delivery, message, minutesAgo, NOW, person, post, rule, settledDecision, stream } from './view-records.ts';

const NAMES = [
  'Ada',
  'Grace',
  '葉子 Live',
  'نور',
  'BjørnTheUnreasonablyLongNamedSpeedrunner',
  'Katherine',
  'Hedy',
  'Radia',
  'Mary_K',
  'Lynn',
];
const GAMES = ['VALORANT', 'Just Chatting', 'Elden Ring', 'Minecraft', 'Hades II', 'Balatro'];
const TITLES = [
  'Ranked until midnight, then viewer games !drops',
  '早起き配信。コーヒーとバロラント',
  'بث مباشر مع الأصدقاء',
  '<script>alert("not today")</script> & <b>bold claims</b>',
  'WORLD RECORD ATTEMPTS no resets no breaks no excuses day 41 of however long this takes us, come and say hi',
  'chill',
];

/** A page with difficult content: long names, other scripts, pictures, edits and failures. */
export function demoViews(): FakeApiQueries {
  const apiQueries = new FakeApiQueries();
  apiQueries.accountList = [
    { name: 'twitch', platform: 'twitch', role: 'streaming', sandbox: true, state: 'connected' },
    { name: 'sandbox', platform: 'sandbox', role: 'social', sandbox: true, state: 'connected' },
    { name: 'discord', platform: 'discord', role: 'chat', sandbox: true, state: 'connected' },
    { name: 'assistant', platform: 'openai', role: 'assistant', sandbox: true, state: 'connected' },
  ];
  apiQueries.streams = NAMES.map((name, index) =>
    stream(String(index), {
      owner: person(name),
      title: TITLES[index % TITLES.length] ?? '',
      game: { platform: 'twitch', id: String(index), name: GAMES[index % GAMES.length] ?? '' },
      viewerCount: Math.round(84_000 / (index + 1) ** 1.4),
      startedAt: minutesAgo(17 + index * 43),
      thumbnailTemplate: index === 6 ? undefined : picture(index * 47),
    }),
  );
  apiQueries.timeline = NAMES.slice(0, 8).map((name, index) =>
    post(`p${index}`, {
      author: person('Fanfare', 'sandbox'),
      text: `${name} is now #${(index % 5) + 1} in ${GAMES[index % GAMES.length]} with ${84 - index * 9}.2K viewers https://twitch.example/${index}`,
      createdAt: minutesAgo(index * 4 + 0.2),
      ...(index === 2 && {
        author: person('Grace Hopper', 'sandbox'),
        text: 'anyone else watching this?! 🎺\n\ncannot believe the comeback',
        editedAt: NOW,
      }),
    }),
  );
  apiQueries.channelMessages = [...cards(), ...news()];
  apiQueries.ruleList = [
    rule('valorant-top', {
      lastDecision: settledDecision({
        outcome: 'fired',
        item: 'ada',
        message: 'Ada entered at #2 and stayed for 10s.',
        at: minutesAgo(0.3),
      }),
    }),
    rule('live-card', {
      about: 'Sends one card for each stream, edits it during the stream, and closes it at the end.',
      lastDecision: settledDecision({
        outcome: 'waiting',
        item: 'grace',
        message: 'Grace has been gone for 40s; the card closes after 15m.',
        at: minutesAgo(0.1),
      }),
    }),
    rule('big-games', {
      about: 'Top games by viewers, on weekdays.',
      schedule: 'cron 0 9 * * 1-5 in Europe/Berlin',
      nextRunAt: minutesAgo(-870),
      lastDecision: settledDecision({
        outcome: 'suppressed',
        message: 'if: items[0].viewerCount >= 50000 is false: 48213 >= 50000.',
        at: minutesAgo(570),
      }),
    }),
    rule('weekend', { about: undefined, enabled: 'sandbox', on: false, lastDecision: undefined }),
    rule('raid-alert', {
      about: undefined,
      on: false,
      lastDecision: undefined,
      diagnostics: [
        {
          severity: 'error',
          code: 'expression',
          file: 'rules/raid-alert.yaml',
          line: 12,
          column: 13,
          path: 'then[0].with.text',
          message: 'There is no field "viewers" in Stream.',
          hint: 'Did you mean item.viewerCount?',
          excerpt: '      text: "${{ item.owner.displayName }} raids with ${{ item.viewers }}"',
        },
      ],
    }),
  ];
  apiQueries.deliveryList = [
    delivery('d1', {
      do: 'discord.edit',
      item: { key: 'sandbox/ada', name: 'Ada Lovelace' },
      text: 'Ranked until midnight, then viewer games',
      account: 'discord',
      rule: 'live-card',
      state: 'sending',
      sentAt: undefined,
      createdAt: NOW,
      result: undefined,
    }),
    delivery('d2', {
      sentAt: minutesAgo(0.3),
      item: { key: 'sandbox/grace', name: 'Grace' },
      text: 'Grace plays Super Mario World. '.repeat(9),
    }),
    delivery('d3', { do: 'discord.send', account: 'discord', sentAt: minutesAgo(0.4), attempts: 3 }),
    delivery('d4', {
      state: 'failed',
      account: 'mastodon_de',
      sentAt: undefined,
      createdAt: minutesAgo(9),
      result: undefined,
      attempts: 5,
      message: 'mastodon_de refused the post: the text is longer than 500 characters.',
    }),
    delivery('d5', {
      state: 'unknown',
      account: 'x',
      sentAt: undefined,
      createdAt: minutesAgo(31),
      result: undefined,
      message: 'x did not answer, and the post is not in its timeline.',
    }),
    delivery('d6', {
      state: 'skipped',
      do: 'discord.edit',
      account: 'discord',
      rule: 'live-card',
      sentAt: undefined,
      createdAt: minutesAgo(44),
      result: undefined,
      message: 'message is empty: the card was never sent.',
    }),
    ...Array.from({ length: 8 }, (_, index) => delivery(`e${index}`, { sentAt: minutesAgo(50 + index * 11) })),
  ];
  return apiQueries;
}

function cards() {
  return [0, 1].map((index) =>
    message(`card${index}`, {
      id: `2/card${index}`,
      channel: { id: '2', name: 'live' },
      content: '',
      createdAt: minutesAgo(4 + index * 50),
      ...(index === 0 && { editedAt: minutesAgo(0.5) }),
      embeds: [
        {
          title: index === 0 ? 'Ranked until midnight, then viewer games' : 'chill',
          url: 'https://twitch.example/ada',
          description: index === 0 ? '**Ada** plays *VALORANT* for `12.3K` people' : '**Mary\\_K** was live',
          color: index === 0 ? 0x9146ff : 0x5c6370,
          footer: index === 0 ? '12.3K watching' : 'was live for 3h 12m, peak 4.1K',
          ...(index === 0 && { image: picture(265) }),
          fields: [
            { name: 'Game', value: 'VALORANT', inline: true },
            { name: 'Language', value: 'en', inline: true },
          ],
        },
      ],
    }),
  );
}

function news() {
  return NAMES.slice(0, 6).map((name, index) =>
    message(`n${index}`, {
      content: `New in the top five: **${name.replaceAll('_', '\\_')}** https://social.example/p${index}`,
      createdAt: minutesAgo(index * 4 + 0.3),
      ...(index === 3 && { author: person('Moderator Max', 'discord'), content: 'nice one :) who is next? `!bet` ~~ada~~ <@&12>' }),
    }),
  );
}

function picture(hue: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180"><linearGradient id="g" x2="1" y2="1"><stop stop-color="hsl(${hue},60%,55%)"/><stop offset="1" stop-color="hsl(${hue + 70},65%,28%)"/></linearGradient><path fill="url(#g)" d="M0 0h320v180H0z"/><circle cx="${90 + (hue % 150)}" cy="95" r="48" fill="#fff" opacity=".18"/><path d="M0 180 110 90l70 60 60-40 80 70z" fill="#000" opacity=".25"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

if (import.meta.main) {
  const apiQueries = demoViews();
  const clock = { ...systemClock, nowMs: () => NOW.getTime() + (Date.now() - startedMs) };
  const startedMs = Date.now();
  const log = createLog({ level: 'info', secrets: [], write: (line) => process.stdout.write(line), color: true });
  await using web = await startWeb({
    host: '127.0.0.1',
    port: Number(process.env['PORT'] ?? 8080),
    apiQueries,
    operations: noOperations,
    clock,
    log,
  });
  console.log(web.url);
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const at = new Date(clock.nowMs());
    const sent = delivery(`new${count}`, { createdAt: at, sentAt: at });
    apiQueries.deliveryList = [sent, ...apiQueries.deliveryList];
    apiQueries.timeline = [post(`new${count}`, { createdAt: at }), ...apiQueries.timeline];
    apiQueries.channelMessages = [message(`new${count}`, { createdAt: at }), ...apiQueries.channelMessages];
    apiQueries.emit({ kind: 'delivery', item: sent });
    apiQueries.emit({ kind: 'posts' });
    apiQueries.emit({ kind: 'messages' });
  }, 5000);
  await once(process, 'SIGINT');
  clearInterval(timer);
}
