import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { linkTargets } from '../workspace/links.ts';
import { replaceName } from './common/name-fixes.ts';
import type { Rule } from './rule.ts';

/** A server that a catalog wants tools of, and that the file beside it does not name. */
export const unknownServer: Rule = {
  name: 'unknown-server',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/tools.md, "Name the servers"' },
  dialects: ['catalog'],
  *check(file, analysis) {
    const targets = linkTargets(file);
    for (const item of listItems(findValue(file.frontmatter.tree.root, 'tools'))) {
      const from = findValue(item, 'from');
      const target = from && targets.find(({ span }) => span.start >= from.span.start && span.end <= from.span.end);
      // Undefined until a host has read the file, and where it is none that names servers.
      const known = target && analysis.serversIn(target.uri);
      if (!known) continue;
      const servers = findValue(item, 'servers');
      for (const server of servers?.kind === 'list' ? servers.items : [servers]) {
        const name = stringOf(server);
        // What is no text is an invalid value already.
        if (!server || name === undefined || known.includes(name)) continue;
        const near = nearestNames(name, known);
        yield {
          span: server.span,
          message: `\`${target.path}\` names no server \`${name}\`, so no tools can be pulled from it.${didYouMean(near)}`,
          fixes: replaceName(file, [server.span], near),
        };
      }
    }
  },
};
