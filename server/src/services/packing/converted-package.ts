/** The conversion of a legacy package before its installation (docs/installing.md, "Installing"). */
import { Workspace } from '../../analysis/workspace.ts';
import { convert } from '../../exchange/convert.ts';
import { UserError } from '../../io/user-error.ts';
import { parentOf } from '../../packing/unit.ts';
import type { InstallView } from '../../protocol/packing.ts';
import { dialectOf } from '../../vocabulary/dialect.ts';
import { type Source, withTextAndDigest } from './source.ts';

/**
 * Returns a source with the converted skill instead of the package, and the conversion for the preview; the source
 * itself if it is not a single package. Throws a `UserError` if the package cannot be converted.
 */
export async function withConvertedPackage(
  source: Source,
): Promise<{ readonly source: Source; readonly conversion: InstallView['conversion'] }> {
  const { only, paths } = source;
  if (only === undefined || dialectOf(`file:///${only}`) !== 'package') return { source, conversion: null };
  const { text } = await source.read(only);
  const refused = (why: string): UserError =>
    new UserError(`\`${only}\` cannot be installed, because it cannot be converted to a skill. ${why}`);
  if (text === undefined) throw refused('It is not valid UTF-8, or is too long.');
  const made = convert({ uri: `file:///${encodeURI(only)}`, text }, 'skill-md', new Workspace().analysis);
  if ('problem' in made) throw refused(made.problem);
  const [skill] = made.files;
  if (!skill) throw refused('The result is empty.');
  const folder = parentOf(only);
  const path = folder === '' ? skill.path : `${folder}/${skill.path}`;
  const file = withTextAndDigest({ path, bytes: new TextEncoder().encode(skill.text), isExecutable: false });
  return {
    source: {
      ...source,
      only: path,
      paths: [...new Set([...paths.filter((one) => one !== only), path])].sort(),
      read: (one) => (one === path ? Promise.resolve(file) : source.read(one)),
    },
    conversion: {
      path: only,
      text: skill.text,
      losses: made.losses.map(({ what, why }) => ({ what, why })),
    },
  };
}
