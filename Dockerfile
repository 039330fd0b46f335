# The image of a release: the static binary with its licences and nothing else, run as nobody. GoReleaser builds it from the binaries of the
# release, which it lays out by platform:
#
#   docker run --rm -v "$PWD:/bundle:ro" ghcr.io/volpost/volpost analyze /bundle/must-gather -o text
#
# To build it from the sources instead:
#
#   make build && mkdir -p build/image/linux/amd64 && cp volpost build/image/linux/amd64/ && cp LICENSE NOTICE build/image/
#   docker build -t volpost --build-arg TARGETPLATFORM=linux/amd64 -f Dockerfile build/image
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/volpost /usr/local/bin/volpost
COPY LICENSE NOTICE /usr/share/doc/volpost/
USER 65532:65532
# For the metrics of a packed bundle, which are copied out of it.
WORKDIR /tmp
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/volpost"]
