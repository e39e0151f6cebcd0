// Prints the files of src and adapters in which a function is executed on the path of a poll, of two deliveries and of a command.
import { pathFiles } from '../test/support/path-files.ts';

for (const [path, files] of Object.entries(await pathFiles())) console.log(`${path}: ${files.length} files\n  ${files.join('\n  ')}`);
