/** Links to missing headings: only as many as are reported are looked for, because each is compared with all headings. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { anchorDrafts } from '../../../server/src/rules/any-file/links.ts';

it('looks for a missing heading only when its finding is wanted', () => {
  const workspace = new Workspace();
  const [own, other] = ['file:///w/a/SKILL.md', 'file:///w/b/SKILL.md'];
  const head = '---\nname: a\ndescription: Sorts.\n---\n';
  const links = Array.from({ length: 50 }, (_, number) => `See [it](../b/SKILL.md#part-${number}).\n`);
  workspace.apply({ kind: 'text', uri: own, text: `${head}${links.join('\n')}` });
  workspace.apply({ kind: 'text', uri: other, text: `${head}## Part\n` });
  const { analysis } = workspace;
  let asked = 0;
  const file = (uri: string) => {
    asked++;
    return analysis.file(uri);
  };
  const found = anchorDrafts(analysis.file(own) ?? assert.fail(), { file } as Analysis, undefined);
  const [first] = found;
  assert.match(first?.message ?? '', /^Heading `#part-0` does not exist/);
  assert.equal(asked, 1);
});
