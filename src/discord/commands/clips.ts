import { clipCard } from '../cards/recording-cards.ts';
import { accountsFor, choicesFor } from '../lookups/accounts.ts';
import { channelField, sortField } from '../lookups/fields.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { chosen, CLIP_ORDERS, spoken } from '../lookups/orders.ts';
import { bold } from '../lookups/typed.ts';
import type { View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

/** `/clips`: clips from a channel. */
export function clipsCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.clips, views: clips(lookups) });
}

function clips(shared: Lookups): readonly View[] {
  const accounts = accountsFor(shared.streaming, 'getUserClips');
  return listView({
    accounts,
    fields: [channelField(shared), ...sortField(choicesFor(CLIP_ORDERS, accounts, 'getUserClips', 'sort'))],
    pager: shared.pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { user = '' } = given;
      const sort = chosen(CLIP_ORDERS, given['sort'], 'TIME');
      return {
        read: (cursor) => client.getUserClips(user, { sort, cursor, signal: asker.signal }),
        heading: ({ owner }) => lookups.clipsOf(bold(owner.displayName), on, '', spoken(CLIP_ORDERS, sort, asker.words)),
        none: lookups.noChannelClips(bold(user)),
        missing: lookups.nobodyCalled(escaped(user, 100)),
        cards: eachAs(clipCard),
      };
    },
  });
}
