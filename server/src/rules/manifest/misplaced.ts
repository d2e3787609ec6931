/** The place of the manifest of a marketplace (docs/format.md, section 9, "Plugins"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { Draft } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { folderOf, isMisplacedMarketplace } from '../../vocabulary/dialect.ts';

const RIGHT_PATH = '.claude-plugin/marketplace.json';

/**
 * Reports a marketplace in a folder in which Claude Code does not look for one. Copilot CLI reads it there, and in the right
 * folder, too (observed: Claude Code 2.1.332, Copilot CLI 1.0.102, 2026-11-30).
 */
export function* misplacedMarketplace(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const { root } = file.frontmatter.tree;
  if (!isMisplacedMarketplace(file.uri) || root?.kind !== 'map') return;
  const { clients, isChosen } = targetsBeside(analysis, file.uri);
  if (isChosen && !clients.some(({ id }) => id === 'claude-code')) return;
  // The file may be the source of one above it that the client reads.
  for (let folder = folderOf(file.uri); folder.includes('/'); folder = folderOf(folder))
    if (analysis.file(`${folder}/${RIGHT_PATH}`)) return;
  const to = `${folderOf(file.uri)}/${RIGHT_PATH}`;
  yield {
    span: root.entries[0]?.key.span ?? span(0, 1),
    severity: isChosen ? 'error' : 'warning',
    message: 'Claude Code reads a marketplace only in `.claude-plugin`: it loads none of these plugins. Move the file.',
    fixes: [{ title: 'Move to `.claude-plugin`', safe: false, edits: [], moves: { from: file.uri, to } }],
  };
}
