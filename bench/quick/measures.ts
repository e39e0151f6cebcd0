import { readBesideTwurple } from '../bot.ts';
import { durableDeliveries } from '../deliveries.ts';
import { processDeliveries } from '../process-deliveries.ts';
import { readingBesidePeers } from '../reading.ts';
import { requestsForPosts } from '../requests.ts';
import { changesThrough, microsecondsOf } from '../rules-changes.ts';
import { ratioToCalibration } from './calibration.ts';
import { quickPolls } from './polls.ts';
import { pageOfThousandRules, startsBesideNodeRed } from './program.ts';

/** Figures by name. All are counts or ratios of CPU time or memory, so a busy machine hardly changes them. Less is better. */
export type Figures = Readonly<Record<string, number>>;

const RULES = 50;
const ROUNDS = 20;
const ITEMS = 40;

/** The groups of `npm run bench -- --quick`. A group is measured again as a whole. */
export const measures: readonly (() => Promise<Figures>)[] = [
  async () => {
    const { fanfare, peer } = await changesThrough({ rules: RULES, rounds: ROUNDS });
    return { 'CPU of a change / json-rules-engine': microsecondsOf(fanfare) / microsecondsOf(peer) };
  },

  async () => {
    const { writes, reads, posts } = await requestsForPosts();
    return { 'requests of a post on X': (writes + reads) / posts };
  },

  async () => {
    const [x, bluesky] = await readingBesidePeers(1);
    if (!x || !bluesky) throw new Error('nothing was read');
    return {
      'CPU to read posts on X / twitter-api-v2': x.fanfare.warmMs / x.peer.warmMs,
      'CPU to read posts on Bluesky / @atproto/api': bluesky.fanfare.warmMs / bluesky.peer.warmMs,
    };
  },

  async () => {
    const [page, walk] = await readBesideTwurple({ rounds: 3 });
    if (!page || !walk) throw new Error('nothing was read');
    return {
      'CPU of a page, Bot / @twurple/api': page.bot.cpuMs / page.twurple.cpuMs,
      'CPU of 100 pages, Bot / @twurple/api': walk.bot.cpuMs / walk.twurple.cpuMs,
      'peak memory of 100 pages, Bot / @twurple/api': walk.bot.peakMb / walk.twurple.peakMb,
    };
  },

  async () => {
    let counts = { statements: Number.NaN, commits: Number.NaN };
    const cpu = await ratioToCalibration(async () => {
      const figures = await durableDeliveries({ items: ITEMS, inMemory: true });
      counts = { statements: figures.statementsPerDelivery, commits: figures.commitsPerDelivery };
      return figures.cpuMsPerDelivery * 100;
    }, 4);
    return {
      'CPU of 100 deliveries / calibration': cpu,
      'statements of a delivery': counts.statements,
      'commits of a delivery': counts.commits,
    };
  },

  async () => ({
    'CPU of 100 deliveries, process / calibration': await ratioToCalibration(
      async () => (await processDeliveries({ inMemory: true })).cpuMsPerDelivery * 100,
      2,
    ),
  }),

  async () => {
    const { polls, pollToPost, statementsOfAPoll, statementsBeforeAPost, commitsBeforeAPost } = await quickPolls();
    return {
      'CPU of 15 polls, 5 posts / plain program': polls,
      'CPU of 5 posts, from their polls / plain program': pollToPost,
      'statements of a poll': statementsOfAPoll,
      'statements between a poll and its post': statementsBeforeAPost,
      'commits between a poll and its post': commitsBeforeAPost,
    };
  },

  async () => {
    const { cpu, memory } = await startsBesideNodeRed();
    return { 'CPU to the first poll / Node-RED': cpu, 'private memory at the first poll / Node-RED': memory };
  },

  async () => {
    const { cpu, bytes, modules, moduleKilobytes } = await pageOfThousandRules();
    return {
      'CPU of 20 pages, 1,000 rules / calibration': cpu,
      'kilobytes of a page, 1,000 rules': bytes / 1000,
      'files loaded at the start': modules,
      'kilobytes loaded at the start': moduleKilobytes,
    };
  },
];
