/** The figure of the package: whoever installs the extension loads all of it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './table.ts';

const MIB = 2 ** 20;

/** Of the package that `npm run bench` has made at its start. */
export function packageRow(root: string): Row {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { size } = statSync(join(root, 'out', `${name}-${version}.vsix`));
  const from = `${Math.round(size / 1024)} KiB`;
  return { figure: 'size of the `.vsix`', against: '1 MiB', must: 2, aim: 1, measured: size / MIB, from };
}
