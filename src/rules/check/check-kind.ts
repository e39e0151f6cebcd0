import type { Watched } from '../rule.ts';
import { isWritten, type Desk } from './desk.ts';

/** Refuses what goes against what it means there that an item is missing. */
export function checkKind(watched: Watched, desk: Desk): void {
  if (watched.kind === 'feed') checkFeed(watched, desk);
  if (watched.kind === 'one') checkOne(watched, desk);
}

function checkFeed({ verb, changes }: Watched, desk: Desk): void {
  const { document, report } = desk;
  const why = `${verb} is a feed: what is missing in it is not gone`;
  if (changes.some(({ kind }) => kind === 'left')) report.error(document.spot(['when', 'changes']), `${why}, so nothing has left`);
  if (isWritten(desk, ['when', 'grace'])) report.error(document.keySpot(['when'], 'grace'), `${why}, so there is no grace`);
  if (isWritten(desk, ['finally'])) report.error(document.keySpot([], 'finally'), `${why}, so there is no end for finally`);
}

function checkOne({ verb, changes, first, per }: Watched, desk: Desk): void {
  const { document, report } = desk;
  const odd = changes.find(({ kind }) => kind === 'left' || kind === 'moved');
  if (odd)
    report.error(document.spot(['when', 'changes']), `${verb} gives one record, which never ${odd.kind === 'left' ? 'leaves' : 'moves'}`);
  const never = per !== 'slot' && first === 'silent' && changes.every(({ kind }) => kind === 'entered');
  if (never && !report.hasGaps) {
    report.error(
      document.keySpot(['when'], isWritten(desk, ['when', 'changes']) ? 'changes' : 'watch'),
      `${verb} gives one record, which is there from the first poll on: this never fires`,
      'write changes: [{ changed: [<field>] }], or per: slot',
    );
  }
}
