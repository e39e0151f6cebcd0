import { botBesideTwurple } from './bot.ts';
import { interactions } from './interactions.ts';
import { reloadOfThousand } from './reload.ts';
import { ruleTests } from './rule-tests.ts';
import { changesASecond } from './rules-changes.ts';
import { manyRules } from './rules.ts';
import { startup } from './startup.ts';

await ruleTests();
await changesASecond();
await manyRules();
await reloadOfThousand();
await startup();
await interactions();
await botBesideTwurple();
