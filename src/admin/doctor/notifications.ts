import type { NotifierReport } from '#src/clients/operation/notifier.ts';
import type { Fault } from '#src/errors.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import type { CheckResult } from './check-result.ts';

const OTHER_APPLICATION = 'raise the limit, or register another application for some of your installations or accounts';
const NAMES = 'check whether these names still exist, and whether the account must follow them; a rule with account: reads them there only';
const PUBLIC_URL = 'set FANFARE_PUBLIC_URL to an address that the internet reaches, for shorter delays';

/** Where a person enters the address of notifications at a platform. */
export interface WebhookSetting {
  /** The setting, for example `Webhook URL of the application`. */
  readonly setting: string;
  readonly url: string;
}

/** Checks whether the platform of an account notifies about changes; no results if no rule needs it, or if Fanfare does not run. */
export function examineNotifications(about: string, report: NotifierReport | undefined, webhook?: WebhookSetting): readonly CheckResult[] {
  if (!report || report.state === 'connecting' || report.state === 'stopped') return [];
  const { subscriptions = 0, cost, maxCost, onlyPolled: count = 0, problem = '', fault, notifiedAt } = report;
  if (report.state === 'off') {
    const what = 'it notifies about changes only over a public address, so the rules poll at their slots';
    return [{ about, state: 'good', what, remedy: PUBLIC_URL, reason: { kind: 'notifiesPublicly' } }];
  }
  if (report.state === 'failed') {
    const what = `it does not notify about changes, so the rules poll at their slots: ${problem}`;
    const reason = { kind: 'notifiesNot', account: about, problem, fault } as const;
    return [
      isNotOffered(fault)
        ? { about, state: 'good', what, reason }
        : { about, state: 'warning', what, remedy: remedyAfter(fault, about), reason },
    ];
  }
  const last = notifiedAt ? `the last notification came at ${notifiedAt.toISOString()}` : 'no notification has come yet';
  const costs = cost === undefined || maxCost === undefined ? '' : `, which cost ${cost} of ${maxCost}`;
  const setting = notifiedAt || !webhook ? '' : `; the ${webhook.setting} must be ${webhook.url}`;
  const what = `it notifies about changes: ${formatCount(subscriptions, 'subscription')}${costs}; ${last}${setting}`;
  const reason = {
    kind: 'notifies',
    subscriptions,
    cost,
    maxCost,
    lastAtMs: notifiedAt?.getTime(),
    webhookUrl: notifiedAt ? undefined : webhook?.url,
  } as const;
  const good: CheckResult = { about, state: 'good', what, reason };
  if (count === 0) return [good];
  const isLimited = cost !== undefined && maxCost !== undefined && cost >= maxCost;
  return [
    good,
    {
      about,
      state: 'warning',
      what: `${count} ${count === 1 ? 'name is' : 'names are'} only polled: ${problem}`,
      remedy: isLimited ? OTHER_APPLICATION : fault ? remedyAfter(fault, about) : NAMES,
      reason: { kind: 'onlyPolled', account: about, count, problem, isLimited, fault },
    },
  ];
}

/** Whether the server or the plan of the account has no notifications. */
export function isNotOffered(fault: Fault | undefined): boolean {
  return fault === 'missing' || fault === 'forbidden';
}

/** How to fix a fault that lasts. Without a fault, the connection itself was lost. */
function remedyAfter(fault: Fault | undefined, account: string): string {
  switch (fault) {
    case 'quotaExhausted':
      return OTHER_APPLICATION;
    case 'unauthorized':
      return `check the credentials of the account, or sign in again: npx fanfare auth ${account}`;
    case 'rateLimited':
      return 'wait: Fanfare tries again when the platform accepts requests';
    case 'unavailable':
      return 'wait: Fanfare tries again; the status page of the platform may report the failure';
    case 'rejected':
    case 'duplicate':
    case 'malformed':
    case 'forbidden':
    case 'missing':
      return 'Fanfare tries again; if this lasts, check whether a proxy answers instead of the platform, and update Fanfare';
    case 'unreachable':
    case 'unanswered':
    case undefined:
      return 'Fanfare connects again; if this lasts, check whether a firewall blocks the connection';
  }
}
