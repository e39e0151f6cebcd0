// discord.js by itself, signed in to the same sandbox: what the library takes.
import { Client, GatewayIntentBits } from 'discord.js';

const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: process.env['DISCORD_API_URL'] ?? '' } });
await client.login(process.env['DISCORD_TOKEN']);
