/** The pages of the rules, which are in the package beside the bundle. */
import { join } from 'node:path';
import { readNamed } from '../disk/read-file.ts';
import { docsOf } from './formats/json.ts';

/** The page's text; undefined where this installation lacks it. The bundle is `dist/cli.cjs`. */
export async function readPage(rule: string): Promise<string | undefined> {
  const content = await readNamed(join(__dirname, '..', docsOf(rule)));
  return content.kind === 'text' ? content.text : undefined;
}
