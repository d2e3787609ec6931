/** What `--help` says below the options of a command: what its exit status means. */

export const EXIT_STATUS = `
Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or a catalog that cannot be relied on.`;

export const CHECK_STATUS = `
--format is pretty (default), json, sarif, github, gitlab, junit, rdjson or checkstyle.${EXIT_STATUS}`;

export const DIFF_STATUS = `
Exit status: 0 the version says what has changed, 1 it does not, 2 wrong usage, or a baseline that cannot be read.`;

export const CLIENTS_STATUS = `
--format is pretty (default), json or markdown.
Exit status: 0 no target client loses a skill, 1 one does, at or above --fail-on, 2 wrong usage.`;

export const MATCH_STATUS = `
Exit status: 0 the ranking is printed, also an empty one, 2 wrong usage, or a catalog that cannot be relied on.`;

export const GRAPH_STATUS = `
--format is mermaid (default), dot or json.
Exit status: 0 the graph is printed, whatever \`check\` says of it, 2 wrong usage, or a catalog that cannot be relied on.`;

export const COMPOSE_STATUS = `
--format is prompt (default) or json.
Exit status: 0 the skill composes, 1 it does not, 2 wrong usage, an unreadable file or a broken catalog.
The prompt, or with --format json the composition, is all that is printed; why it fails is told on stderr.`;

export const CATALOG_STATUS = `
--format is prompt (default), json or markdown.
Exit status: 0 the catalog is printed, or --check finds it in the file, 1 --check does not, 2 wrong usage.`;

export const AUDIT_STATUS = `
--format is pretty (default), json or markdown.
Exit status: 0 nothing at or above --fail-on, 1 an incomplete contract, or with --fail-on more, 2 wrong usage.`;

export const PACK_STATUS = `
Exit status: 0 the archive is written, 2 wrong usage, or skills that cannot be packed.`;

export const INSTALL_STATUS = `
Exit status: 0 the skills are installed, or --check finds what the lock file says, 1 it does not, or the answer is no,
2 wrong usage, a source that is refused, local edits in the way, or nobody to ask without --yes.`;
