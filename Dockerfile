# A gateway that many agents share; docker-compose.yml starts it.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /parity ./cmd/parity && mkdir -p /data /profiles

FROM gcr.io/distroless/static:nonroot
COPY --from=build /parity /parity
COPY --from=build --chown=nonroot:nonroot /data /data
COPY --from=build --chown=nonroot:nonroot /profiles /profiles
ENV PARITY_DIR=/data/parity PARITY_HOME=/data/home
WORKDIR /profiles
VOLUME /data
EXPOSE 7070 7071
HEALTHCHECK --interval=10s --timeout=10s --retries=3 CMD ["/parity", "health"]
ENTRYPOINT ["/parity"]
CMD ["serve", "--listen", "0.0.0.0:7070", "--control", "0.0.0.0:7071"]
