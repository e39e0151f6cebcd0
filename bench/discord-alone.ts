// discord.js alone on the same sandbox, for the memory of the library.
import { Client, GatewayIntentBits } from 'discord.js';

const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: process.env['DISCORD_API_URL'] ?? '' } });
await client.login(process.env['DISCORD_TOKEN']);
