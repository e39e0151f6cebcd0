import type { DiscordPlatform } from '#adapters/discord/index.ts';
import { createChannelChecks, type ChannelChecks, type ChannelChecksOptions } from '#src/admin/channel-checks/channel-checks.ts';
import type { EventBus } from '#src/engine/event-bus.ts';
import type { UseAccount } from '#src/engine/planner/refused-accounts.ts';

export interface CheckChannelsOptions extends Pick<ChannelChecksOptions, 'rules' | 'lists' | 'clock' | 'log'> {
  /** Watches the reads of an account. */
  readonly watchAccount: UseAccount;
  readonly servers: readonly DiscordPlatform[];
  readonly eventBus: EventBus;
}

/** Creates the channel checks of a running process. Deliveries that contradict the last check start a new one. */
export function checkChannels({ servers, eventBus, watchAccount: watch, ...options }: CheckChannelsOptions): ChannelChecks {
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
  eventBus.subscribe(checks.changed);
  return checks;
}
