import type { DiscordPlatform } from '#adapters/discord/index.ts';
import { createChannelChecks, type ChannelChecks, type ChannelChecksOptions } from '#src/admin/channel-checks/channel-checks.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import { accountWatch, type AccountWatchOptions } from './account-watch.ts';

export interface CheckChannelsOptions extends Pick<ChannelChecksOptions, 'rules' | 'clock' | 'log'>, AccountWatchOptions {
  readonly servers: readonly DiscordPlatform[];
  readonly eventBus: EventBus;
}

/** Creates the channel checks of a running process. Deliveries that contradict the last check start a new one. */
export function checkChannels({ servers, eventBus, ...options }: CheckChannelsOptions): ChannelChecks {
  const watch = accountWatch(options);
  const checks = createChannelChecks({
    ...options,
    servers: servers.map(({ account, examine, findServer }) => ({
      account,
      examine,
      findServer: (signal) => watch(account, () => findServer(signal)),
    })),
    onChange: eventBus.changing('rules'),
  });
  eventBus.onDelivery(checks.deliveryEnded);
  return checks;
}
