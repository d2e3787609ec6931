export { findFences } from './frontmatter.ts';
