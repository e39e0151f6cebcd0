import { botBesideTwurple } from './bot.ts';
import { startup } from './startup.ts';

await startup();
await botBesideTwurple();
