// The types of Preact declare the global names of browsers, which code of the server must not see. `preact.d.mts` has its own types.
export { signal } from '@preact/signals';
export { createContext, h, hydrate } from 'preact';
export { useContext, useEffect, useState } from 'preact/hooks';
