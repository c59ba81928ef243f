// Package transport connects to a State Hub: by REST, or by the Model Context Protocol over standard input and output, streamable
// HTTP or SSE.
package transport
