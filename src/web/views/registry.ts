import { accounts } from './accounts.ts';
import { audit } from './audit.ts';
import { deliveries } from './deliveries.ts';
import { delivery } from './delivery.ts';
import { list } from './list.ts';
import { lists } from './lists.ts';
import { overview } from './overview.ts';
import { rule } from './rule.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { settings } from './settings.ts';
import type { View } from './view.ts';
import { why } from './why.ts';

/** All views. */
export const VIEWS: readonly View[] = [overview, why, deliveries, delivery, rules, rule, lists, list, accounts, sandbox, settings, audit];
