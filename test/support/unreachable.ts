/** An address that no server has: no process can listen on port 0, whereas any process may take another port. */
export const UNREACHABLE = 'http://127.0.0.1:0';
