// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The only file that knows of Boost.Beast and OpenSSL. One thread moves bytes; workers run the handler.
#include "http/server.h"

#include <fmt/format.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <set>
#include <thread>
#ifdef SEXTANT_WITH_TLS
#include <openssl/crypto.h>

#include <boost/asio/ssl.hpp>
#include <boost/beast/ssl.hpp>
#endif

#include "http/url.h"

namespace sextant::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Plain = beast::tcp_stream;
#ifdef SEXTANT_WITH_TLS
using Secure = beast::ssl_stream<beast::tcp_stream>;
#endif

std::string text_of(boost::string_view view) {
  return std::string(view.data(), view.size());
}

Request request_of(bhttp::request<bhttp::string_body>&& message, std::string path, bool secure) {
  Request request;
  request.method = text_of(message.method_string());
  request.query = std::string(query_of(std::string_view(message.target().data(), message.target().size())));
  request.path = std::move(path);
  request.secure = secure;
  request.host = text_of(message[bhttp::field::host]);
  request.origin = text_of(message[bhttp::field::origin]);
  request.cookie = text_of(message[bhttp::field::cookie]);
  request.authorization = text_of(message[bhttp::field::authorization]);
  request.if_none_match = text_of(message[bhttp::field::if_none_match]);
  request.accept_encoding = text_of(message[bhttp::field::accept_encoding]);
  request.content_type = text_of(message[bhttp::field::content_type]);
  request.body = std::move(message.body());
  return request;
}

Response refusal(unsigned status, std::string_view code, std::string_view message) {
  return {.status = status,
          .content_type = "application/json",
          .headers = {{"Cache-Control", "no-store"}},
          .body = fmt::format(R"({{"error":{{"code":"{}","message":"{}"}}}})", code, message)};
}

/// What a connection can be told from outside, whatever its kind.
struct Connection {
  virtual ~Connection() = default;
  virtual void close() = 0;
};

}  // namespace

struct Server::State {
  ServerOptions options;
  Handler handler;
  std::set<Connection*> connections;  // only the thread of `io` touches it; outlives what `io` still holds
#ifdef SEXTANT_WITH_TLS
  std::optional<asio::ssl::context> tls;
#endif
  asio::io_context io{1};
  std::optional<tcp::acceptor> acceptor;
  std::optional<asio::thread_pool> workers;
  std::thread thread;
  uint16_t port = 0;

  void accept();
  void serve(tcp::socket socket);
  Response answer(const Request& request) noexcept;
};

namespace {

template <typename Stream>
class Session final : public Connection, public std::enable_shared_from_this<Session<Stream>> {
 public:
  static constexpr bool kSecure = !std::is_same_v<Stream, Plain>;

  template <typename... Args>
  explicit Session(Server::State& server, Args&&... args)
      : server_(server), stream_(std::forward<Args>(args)...) {
    server_.connections.insert(this);
  }
  ~Session() override { server_.connections.erase(this); }

  void close() override {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

  void begin() {
    if constexpr (kSecure) {
      expire(server_.options.request_seconds);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](error_code error) {
                                if (!error) self->read();
                              });
    } else {
      read();
    }
  }

 private:
  void expire(int seconds) { beast::get_lowest_layer(stream_).expires_after(std::chrono::seconds(seconds)); }

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(server_.options.most_head_bytes));
    parser_->body_limit(server_.options.most_body_bytes);
    expire(server_.options.request_seconds);
    bhttp::async_read(stream_, buffer_, *parser_,
                      [self = this->shared_from_this()](error_code error, size_t) { self->on_read(error); });
  }

  void on_read(error_code error) {
    if (error == bhttp::error::body_limit)
      return write(refusal(413, "too_large", "the body of the request is too large"), false, false);
    if (error == bhttp::error::header_limit || error == bhttp::error::buffer_overflow)
      return write(refusal(431, "too_large", "the head of the request is too large"), false, false);
    const bool malformed = error.category() == bhttp::make_error_code(bhttp::error::bad_version).category();
    if (malformed && error != bhttp::error::end_of_stream && error != bhttp::error::partial_message)
      return write(refusal(400, "bad_request", "this is no request of HTTP"), false, false);
    if (error) return finish();
    auto message = parser_->release();
    const bool keep = message.keep_alive(), head = message.method() == bhttp::verb::head;
    auto path = path_of(std::string_view(message.target().data(), message.target().size()));
    if (!path) return write(refusal(400, "bad_request", "the path is malformed"), false, head);
    beast::get_lowest_layer(stream_).expires_never();
    asio::post(*server_.workers, [self = this->shared_from_this(), keep, head,
                                  request = request_of(std::move(message), std::move(*path), kSecure)] {
      asio::post(self->server_.io, [self, keep, head, response = self->server_.answer(request)]() mutable {
        self->write(std::move(response), keep, head);
      });
    });
  }

  void write(Response&& response, bool keep, bool head) {
    response_.emplace(static_cast<bhttp::status>(response.status), 11);
    if (!response.content_type.empty()) response_->set(bhttp::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) response_->insert(name, value);
    response_->keep_alive(keep);
    response_->body() = std::move(response.body);
    if (response.status != 304) response_->prepare_payload();
    serializer_.emplace(*response_);
    expire(server_.options.answer_seconds);
    const auto done = [self = this->shared_from_this(), keep](error_code error, size_t) {
      if (!error && keep) return self->read();
      self->finish();
    };
    if (head || response.status == 304)
      bhttp::async_write_header(stream_, *serializer_, done);
    else
      bhttp::async_write(stream_, *serializer_, done);
  }

  /// Says that nothing more comes, and reads for a moment what the client still sends: closed at once, it
  /// would not see the answer.
  void finish() {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().shutdown(tcp::socket::shutdown_send, ignored);
    expire(kLingerSeconds);
    discard(0);
  }
  void discard(size_t so_far) {
    buffer_.clear();
    beast::get_lowest_layer(stream_).async_read_some(
        buffer_.prepare(kDiscardBytes),
        [self = this->shared_from_this(), so_far](error_code error, size_t bytes) {
          if (!error && so_far + bytes < kMostDiscarded) self->discard(so_far + bytes);
        });
  }
  static constexpr int kLingerSeconds = 2;
  static constexpr size_t kDiscardBytes = 64 << 10, kMostDiscarded = 16 << 20;

  Server::State& server_;
  Stream stream_;
  beast::flat_buffer buffer_{256 << 10};
  std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
  std::optional<bhttp::response<bhttp::string_body>> response_;
  std::optional<bhttp::response_serializer<bhttp::string_body>> serializer_;
};

Status listen(Server::State& state) {
  const ServerOptions& options = state.options;
  error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) return fail(ErrorCode::kUsage, fmt::format("'{}' is no address", options.address));
  const tcp::endpoint endpoint(address, options.port);
  state.acceptor.emplace(state.io);
  state.acceptor->open(endpoint.protocol(), error);
  if (!error) state.acceptor->set_option(tcp::acceptor::reuse_address(options.port != 0), error);
  if (!error) state.acceptor->bind(endpoint, error);
  if (!error) state.acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return fail_errno(error.value(),
                      fmt::format("cannot listen on {} port {}", options.address, options.port));
  state.port = state.acceptor->local_endpoint(error).port();
  return {};
}

Status load_certificate(Server::State& state) {
  const ServerOptions& options = state.options;
  if (options.tls_certificate.empty()) return {};
#ifdef SEXTANT_WITH_TLS
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);  // nothing of the machine's configuration
  state.tls.emplace(asio::ssl::context::tls_server);
  error_code error;
  state.tls->set_options(
      asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1,
      error);
  state.tls->use_certificate_chain_file(options.tls_certificate, error);
  if (error)
    return fail(ErrorCode::kUsage, fmt::format("{}: no certificate in PEM format can be read there ({})",
                                               options.tls_certificate, error.message()));
  state.tls->use_private_key_file(options.tls_key, asio::ssl::context::pem, error);
  if (error)
    return fail(ErrorCode::kUsage, fmt::format("{}: no key in PEM format that fits the certificate ({})",
                                               options.tls_key, error.message()));
  return {};
#else
  return fail(ErrorCode::kUnsupported,
              "this build has no TLS: OpenSSL's static libraries (libssl-dev) were missing when it was made");
#endif
}

}  // namespace

void Server::State::accept() {
  acceptor->async_accept([this](error_code error, tcp::socket socket) {
    // also without an error: a client may have come in just before the acceptor was closed
    if (!acceptor->is_open()) return;
    if (!error && connections.size() < options.most_connections) serve(std::move(socket));
    accept();
  });
}

void Server::State::serve(tcp::socket socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
#ifdef SEXTANT_WITH_TLS
  if (tls) return std::make_shared<Session<Secure>>(*this, Plain(std::move(socket)), *tls)->begin();
#endif
  std::make_shared<Session<Plain>>(*this, std::move(socket))->begin();
}

Response Server::State::answer(const Request& request) noexcept {
  try {
    return handler(request);
  } catch (const std::bad_alloc&) {
    return refusal(503, "limit", "not enough memory for this request");
  } catch (...) {
    return refusal(500, "internal", "the request failed for a reason that was not foreseen");
  }
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;

Server::~Server() {
  if (!state_ || !state_->thread.joinable()) return;
  asio::post(state_->io, [state = state_.get()] {
    error_code ignored;
    state->acceptor->close(ignored);
    for (Connection* connection : state->connections) connection->close();
  });
  state_->workers->join();
  state_->thread.join();
}

uint16_t Server::port() const {
  return state_->port;
}

Result<Server> Server::start(const ServerOptions& options, Handler handler) {
  auto state = std::make_unique<State>();
  state->options = options;
  state->handler = std::move(handler);
  try {
    SEXTANT_TRY(load_certificate(*state));
    SEXTANT_TRY(listen(*state));
    state->workers.emplace(options.workers);
    state->accept();
    state->thread = std::thread([io = &state->io] { io->run(); });
  } catch (const std::exception& error) {
    return fail(ErrorCode::kIo, fmt::format("cannot serve: {}", error.what()));
  }
  return Server(std::move(state));
}

bool has_tls() {
#ifdef SEXTANT_WITH_TLS
  return true;
#else
  return false;
#endif
}

}  // namespace sextant::http
