import { channelCard } from '#src/discord/cards/people-cards.ts';
import { streamCard } from '#src/discord/cards/streaming-cards.ts';
import { accountsFor } from '#src/discord/lookups/accounts.ts';
import { nameField } from '#src/discord/lookups/fields.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { accountView } from '#src/discord/lookups/view.ts';
import { bold, escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/live`: whether a channel is live. */
export function liveCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = accountView({
    accounts: accountsFor(lookups.streaming, 'getStreams', 'users'),
    fields: [nameField((texts) => texts.lookups.options.channel, lookups.suggest.channels)],
    explanations: ({ on, values: { streamer = '' }, caller }) => ({
      missing: caller.texts.lookups.nobodyCalled(escaped(streamer, 100), on),
    }),
    async load({ client, on, values: { streamer: name = '' }, caller }) {
      const { isLive, isNotLive, buttons } = caller.texts.lookups;
      const { signal } = caller;
      const [stream] = await client.getStreams({ users: [name], signal });
      if (stream) {
        const links = [{ label: buttons.watch, url: stream.url }];
        return { content: isLive(bold(stream.owner.displayName), on), embeds: [streamCard(stream, caller, 'large')], more: false, links };
      }
      const user = await client.getUser(name, { signal });
      const links = [{ label: buttons.channel, url: user.url }];
      return { content: isNotLive(bold(user.displayName), on), embeds: [channelCard(user, caller, 'small')], more: false, links };
    },
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.live, views });
}
