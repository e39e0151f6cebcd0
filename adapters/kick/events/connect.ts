import type { Clock } from '#src/clock.ts';
import type { NotificationReceiver } from '#src/clients/operation/notification-request.ts';
import type { ConnectOptions } from '#src/clients/operation/notifier.ts';
import type { AppToken } from '#src/http/app-token.ts';
import type { HttpClient } from '#src/http/client.ts';
import type { ChannelNames } from '../operations/channels.ts';
import { kickEventsApi } from './api.ts';
import { keepSubscribed } from './keep-subscribed.ts';
import { publicKey } from './public-key.ts';
import { receiveEvents } from './receive.ts';

export interface KickEventsOptions {
  readonly api: HttpClient;
  readonly token: AppToken;
  readonly channels: Pick<ChannelNames, 'idOf'>;
  readonly clock: Clock;
}

/** The events of Kick: subscriptions, and requests with events. */
export interface KickEvents {
  connect(options: ConnectOptions): Promise<void>;
  readonly receive: NotificationReceiver['receive'];
}

export function kickEvents({ api, token, channels: { idOf }, clock }: KickEventsOptions): KickEvents {
  return {
    receive: receiveEvents(publicKey({ api, clock })),
    async connect({ endpoint, ...options }) {
      if (!endpoint) throw new TypeError('Kick sends events to a public address only');
      await keepSubscribed({ ...options, events: kickEventsApi({ api, token }), subscriptions: endpoint.subscriptions, idOf, clock });
    },
  };
}
