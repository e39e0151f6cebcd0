import { getRequestListener } from '@hono/node-server';

// The first server of a process replaces the global class of responses.
getRequestListener(() => new Response());
