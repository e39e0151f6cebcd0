import { Bot } from '#src/streaming/bot.ts';
import { openBot } from './bot/ground.ts';
import { gameRecordings, userRecordings } from './bot/recordings.ts';
import { search } from './bot/search.ts';
import { getStreams, getUser, streamRows } from './bot/streams.ts';
import { botOperations } from './document.ts';
import { proves } from './table.ts';

proves({
  document: botOperations,
  client: Bot,
  rows: [getUser(), ...userRecordings(), search(), ...streamRows(), ...gameRecordings()],
  additions: [getStreams()],
  open: openBot,
  groundPer: 'row',
});
